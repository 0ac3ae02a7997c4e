// Breaks provider.label.reports-back: An order without a phone number ends in an error of the program, and nothing is reported. All others are printed.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields, type Order } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.request.phone-expected',
  clauses: ['provider.label.reports-back'],
  about: 'An order without a phone number ends in an error of the program, and nothing is reported.',
};

export default class extends LabelPage {
  override async report(order: Order, parameters: Fields): Promise<Response> {
    if (order.shipping_phone === undefined) throw new TypeError('There is no phone number.');
    return super.report(order, parameters);
  }
}
