// Breaks provider.callback.by-get: The callback is sent as a posted form. Its parameters are right.

import type { ExampleNote } from '../../../kit/example.ts';
import { escaped, page } from '../../../kit/http.ts';
import LabelPage, { type Fields, type Order } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.callback.by-post',
  clauses: ['provider.callback.by-get'],
  about: 'The callback is sent as a posted form.',
};

export default class extends LabelPage {
  override async report(order: Order, parameters: Fields): Promise<Response> {
    const inputs = parameters.map(
      ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
    );
    const form = `<form method="post" action="${escaped(order.callback_url ?? '')}">${inputs.join('')}</form>`;
    return page('One moment', `${form}<script>document.forms[0].submit()</script>`);
  }
}
