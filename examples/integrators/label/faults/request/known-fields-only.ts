// Breaks provider.label.additional-fields-signed: The message is made of the documented fields only, so that a request with others is refused. Requests without others are printed.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

const DOCUMENTED =
  /^(label_request_id|order_uuid|invoice_id|amount|currency|cart|weight|language_code|website_alias|website_domain|callback_url|signature|(delivery_method|seller|shipping|buyer)_.*)$/;

export const note: ExampleNote = {
  id: 'label.request.known-fields-only',
  clauses: ['provider.label.additional-fields-signed'],
  about: 'The message is made of the documented fields only, so that a request with others is refused.',
};

export default class extends LabelPage {
  override accepts(fields: Fields): boolean {
    return super.accepts(fields.filter(([name]) => DOCUMENTED.test(name)));
  }
}
