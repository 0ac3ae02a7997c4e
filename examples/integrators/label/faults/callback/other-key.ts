// Breaks provider.callback.signature: The callback is signed with another key. Its message is right.
import { createHmac } from 'node:crypto';
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.callback.other-key',
  clauses: ['provider.callback.signature'],
  about: 'The callback is signed with another key.',
};

export default class extends LabelPage {
  override signed(parameters: Fields): Fields {
    const signature = createHmac('sha256', 'parcels-2024').update(this.message(parameters)).digest('base64');
    return [...parameters, ['signature', signature]];
  }
}
