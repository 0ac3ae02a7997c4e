// Breaks envelope.v1.request-bodies-are-json: The values of the settings form are asked for with a web form in place of JSON.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.calls.form-body',
  clauses: ['envelope.v1.request-bodies-are-json'],
  about: 'The values of the settings form are asked for with a web form in place of JSON.',
};

export default class extends LabelPage {
  override async customerNumber(orderUuid: string): Promise<string> {
    const answer = await fetch(`${this.settings.base}store/delivery_provider_settings/`, {
      method: 'POST',
      headers: { authorization: this.authorization() },
      body: new URLSearchParams({ order_uuid: orderUuid }),
    });
    await answer.text();
    return '';
  }
}
