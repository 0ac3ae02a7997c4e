// Breaks provider.callback.signature: The whole query string of the callback is signed in place of the values. The key is right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.callback.query-signed',
  clauses: ['provider.callback.signature'],
  about: 'The whole query string of the callback is signed in place of the values.',
};

export default class extends LabelPage {
  override signed(parameters: Fields): Fields {
    const query = new URLSearchParams(parameters.map(([name, value]) => [name, value]));
    return [...parameters, ['signature', this.signature(query.toString())]];
  }
}
