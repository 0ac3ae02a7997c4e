// Breaks provider.label.reports-back: Letters are brought into their normal form before they are signed. Letters that are in it are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.request.normal-form',
  clauses: ['provider.label.reports-back'],
  about: 'Letters are brought into their normal form before they are signed.',
};

export default class extends LabelPage {
  override message(fields: Fields): string {
    return super.message(fields.map(([name, value]) => [name, value.normalize('NFC')]));
  }
}
