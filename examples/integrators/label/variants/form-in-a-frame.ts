// Correct: The page shows its form in a frame; the callback is sent from there.
import type { ExampleNote } from '../../kit/example.ts';
import { escaped, page } from '../../kit/http.ts';
import LabelPage, { type Fields, type Order } from '../correct.ts';

export const note: ExampleNote = {
  id: 'label.variant.form-in-a-frame',
  clauses: [],
  about: 'The page shows its form in a frame; the callback is sent from there.',
};

export default class extends LabelPage {
  override async report(order: Order, parameters: Fields): Promise<Response> {
    const inputs = parameters.map(
      ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
    );
    const form = `<form action="${escaped(order.callback_url ?? '')}">${inputs.join('')}<button>Print</button></form>`;
    return page('Label', `<iframe srcdoc="${escaped(form)}"></iframe>`);
  }
}
