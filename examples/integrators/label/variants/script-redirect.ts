// Correct: The page’s script sends the browser to the callback.

import type { ExampleNote } from '../../kit/example.ts';
import { page } from '../../kit/http.ts';
import LabelPage, { type Fields, type Order } from '../correct.ts';

export const note: ExampleNote = {
  id: 'label.variant.script-redirect',
  clauses: [],
  about: 'The page’s script sends the browser to the callback.',
};

export default class extends LabelPage {
  override async report(order: Order, parameters: Fields): Promise<Response> {
    const address = JSON.stringify(this.callback(order, parameters)).replaceAll('<', '\\u003c');
    return page('The label is printed', `<script>location.replace(${address})</script>`);
  }
}
