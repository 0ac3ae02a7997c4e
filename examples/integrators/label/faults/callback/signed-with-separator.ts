// Breaks provider.callback.signature: A line break stands between the signed values. Their order and the key are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.callback.signed-with-separator',
  clauses: ['provider.callback.signature'],
  about: 'A line break stands between the signed values.',
};

export default class extends LabelPage {
  override signed(parameters: Fields): Fields {
    return [...parameters, ['signature', this.signature(parameters.map(([, value]) => value).join('\n'))]];
  }
}
