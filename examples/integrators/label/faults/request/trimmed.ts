// Breaks provider.refusals.tampered: Values are trimmed before they are signed. All other characters count.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.request.trimmed',
  clauses: ['provider.refusals.tampered'],
  about: 'Values are trimmed before they are signed.',
};

export default class extends LabelPage {
  override accepts(fields: Fields): boolean {
    return super.accepts(fields.map(([name, value]) => [name, value.trim()] as const));
  }
}
