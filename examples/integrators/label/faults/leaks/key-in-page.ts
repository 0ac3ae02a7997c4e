// Breaks provider.leaks.key: The page that leads back to the store has the key in its script. The callback is right.
import type { ExampleNote } from '../../../kit/example.ts';
import { page } from '../../../kit/http.ts';
import LabelPage, { type Fields, type Order } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.leaks.key-in-page',
  clauses: ['provider.leaks.key'],
  about: 'The page that leads back to the store has the key in its script.',
};

export default class extends LabelPage {
  override async report(order: Order, parameters: Fields): Promise<Response> {
    const [key, address] = [this.settings.apiKey, this.callback(order, parameters)].map((text) =>
      JSON.stringify(text).replaceAll('<', '\\u003c'),
    );
    return page('Printed', `<script>window.settings = { key: ${key} }; location.replace(${address})</script>`);
  }
}
