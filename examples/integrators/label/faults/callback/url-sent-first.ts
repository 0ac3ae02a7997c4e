// Breaks provider.callback.parameter-order: The label’s address is sent before the request’s id, and signed after it. Under that reading of the contract the signature is right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields, type Order } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.callback.url-sent-first',
  clauses: ['provider.callback.parameter-order'],
  about: 'The label’s address is sent before the request’s id, and signed after it.',
};

export default class extends LabelPage {
  override callback(order: Order, [id, url, ...rest]: Fields): string {
    return super.callback(order, url?.[0] === 'label_url' ? [url, id!, ...rest] : [id!, url!, ...rest]);
  }
}
