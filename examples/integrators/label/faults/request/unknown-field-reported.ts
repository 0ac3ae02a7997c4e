// Breaks provider.label.additional-fields-signed: The message is made of the documented fields only; what does not fit is reported by error_msg. Requests without other fields are printed.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.request.unknown-field-reported',
  clauses: ['provider.label.additional-fields-signed'],
  about: 'The message is made of the documented fields only; what does not fit is reported by error_msg.',
};

const DOCUMENTED =
  /^(label_request_id|order_uuid|invoice_id|amount|currency|cart|weight|language_code|website_alias|website_domain|callback_url|signature|(delivery_method|seller|shipping|buyer)_.*)$/;

export default class extends LabelPage {
  override async printLabel(fields: Fields): Promise<Response> {
    const order = Object.fromEntries(fields);
    if (this.accepts(fields) || !order.callback_url?.startsWith('http')) return super.printLabel(fields);
    return this.report(order, this.failure(order, `Request ${order.label_request_id} is not signed as it must be.`));
  }

  override accepts(fields: Fields): boolean {
    return super.accepts(fields.filter(([name]) => DOCUMENTED.test(name)));
  }
}
