// Correct: A script draws the form a while after the page; it asks back before it prints.
import type { ExampleNote } from '../../kit/example.ts';
import { page } from '../../kit/http.ts';
import LabelPage, { type Fields, type Order } from '../correct.ts';

export const note: ExampleNote = {
  id: 'label.variant.form-by-script',
  clauses: [],
  about: 'A script draws the form a while after the page; it asks back before it prints.',
};

/** What a page of scripts may need until it shows something. */
const DRAWN_AFTER_MS = 900;

export default class extends LabelPage {
  override async report(order: Order, parameters: Fields): Promise<Response> {
    const address = JSON.stringify(this.callback(order, parameters)).replaceAll('<', '\\u003c');
    return page(
      'Label',
      `<div id="place"></div><script>
setTimeout(() => {
  document.getElementById('place').innerHTML = '<button type="button">Print</button>';
  document.querySelector('button').onclick = () => {
    if (confirm('Print the label?')) location.replace(${address});
  };
}, ${DRAWN_AFTER_MS});
</script>`,
    );
  }
}
