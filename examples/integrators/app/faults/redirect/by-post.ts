// Breaks app.install.first-load-redirects: The first load sends the user back by a posted form, so that no query string arrives. The parameters are right.

import type { ExampleNote } from '../../../kit/example.ts';
import { escaped, page } from '../../../kit/http.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.redirect.by-post',
  clauses: ['app.install.first-load-redirects'],
  about: 'The first load sends the user back by a posted form, so that no query string arrives.',
};

export default class extends App {
  override async firstLoad(query: URLSearchParams): Promise<Response> {
    const inputs = [...this.returned(query)].map(
      ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
    );
    const form = `<form method="post" action="${escaped(query.get('callback') ?? '')}">${inputs.join('')}</form>`;
    return page('One moment', `${form}<script>document.forms[0].submit()</script>`);
  }
}
