// Correct: A banner that asks for consent to cookies lies over the page and its form.
import type { ExampleNote } from '../../kit/example.ts';
import { escaped, page } from '../../kit/http.ts';
import LabelPage, { type Fields, type Order } from '../correct.ts';

export const note: ExampleNote = {
  id: 'label.variant.consent-banner',
  clauses: [],
  about: 'A banner that asks for consent to cookies lies over the page and its form.',
};

const BANNER = `<div id="consent" style="position:fixed;inset:0;background:#0009">
<p style="background:#fff">We use cookies.
<button type="button" onclick="document.getElementById('consent').remove()">Accept</button>
<button type="button" onclick="document.getElementById('consent').remove()">Refuse</button></p></div>`;

export default class extends LabelPage {
  override async report(order: Order, parameters: Fields): Promise<Response> {
    const inputs = parameters.map(
      ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
    );
    const form = `<form action="${escaped(order.callback_url ?? '')}">${inputs.join('')}<button>Print</button></form>`;
    return page('Label', form + BANNER);
  }
}
