// Breaks app.install.first-load-redirects: The first load redirects to a page of the app instead of the callback. The parameters are right.

import type { ExampleNote } from '../../../kit/example.ts';
import { redirect } from '../../../kit/http.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.redirect.elsewhere',
  clauses: ['app.install.first-load-redirects'],
  about: 'The first load redirects to a page of the app instead of the callback.',
};

export default class extends App {
  override async firstLoad(query: URLSearchParams): Promise<Response> {
    return redirect(`${this.settings.origin}/help?${this.returned(query)}`);
  }
}
