// Breaks app.settings.shows-page: The settings address sends the user back to the service instead of showing a page. Forged requests are refused.

import type { ExampleNote } from '../../../kit/example.ts';
import { redirect } from '../../../kit/http.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.install.settings-goes-back',
  clauses: ['app.settings.shows-page'],
  about: 'The settings address sends the user back to the service instead of showing a page.',
};

export default class extends App {
  override panel(query: URLSearchParams): Response {
    return redirect(this.wayBack(query));
  }
}
