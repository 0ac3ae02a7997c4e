// Breaks provider.callback.signature: The label’s address stands before the request’s id in the signed message. They are sent in the right order.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.callback.url-first-in-message',
  clauses: ['provider.callback.signature'],
  about: 'The label’s address stands before the request’s id in the signed message.',
};

export default class extends LabelPage {
  override signed([id, url, ...tracking]: Fields): Fields {
    const order = url === undefined ? [id!] : [url, id!, ...tracking];
    const signature = this.signature(this.message(order));
    return [id!, ...(url === undefined ? [] : [url]), ...tracking, ['signature', signature]];
  }
}
