// Correct: The page asks for many kinds of things in a form before it prints.
import { randomUUID } from 'node:crypto';
import type { ExampleNote } from '../../kit/example.ts';
import { page } from '../../kit/http.ts';
import LabelPage, { type Fields, type Order } from '../correct.ts';

const ASKED = ['parcels', 'day', 'phone', 'mail', 'note', 'size', 'terms'];

export const note: ExampleNote = {
  id: 'label.variant.asks-much',
  clauses: [],
  about: 'The page asks for many kinds of things in a form before it prints.',
};

export default class extends LabelPage {
  readonly #waiting = new Map<string, Order>();

  override async answer(request: Request): Promise<Response> {
    if (new URL(request.url).pathname !== '/print') return super.answer(request);
    const form = await request.formData();
    const order = this.#waiting.get(String(form.get('ticket')));
    if (order === undefined || ASKED.some((name) => !form.get(name))) return this.refused();
    return super.printLabel(Object.entries(order));
  }

  override async printLabel(fields: Fields): Promise<Response> {
    if (!this.accepts(fields)) return this.refused();
    const ticket = randomUUID();
    this.#waiting.set(ticket, Object.fromEntries(fields));
    return page(
      'Some questions',
      `<form method="post" action="/print"><input type="hidden" name="ticket" value="${ticket}">
<p><label>Parcels <input name="parcels" type="number" min="1" max="9" required></label></p>
<p><label>Pick up on <input name="day" type="date" required></label></p>
<p><label>Call <input name="phone" type="tel" required></label></p>
<p><label>Write to <input name="mail" type="email" required></label></p>
<p><label>Note <textarea name="note" required></textarea></label></p>
<p><label>Size <select name="size" required><option value="">?</option><option>S</option><option>M</option></select></label></p>
<p><label><input name="terms" type="checkbox" required> I agree</label></p>
<button type="button">Help</button> <button>Print</button></form>`,
    );
  }
}
