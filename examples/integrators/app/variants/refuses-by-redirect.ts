// Correct: Requests that are not authentic are sent to the app’s own help page.

import type { ExampleNote } from '../../kit/example.ts';
import { redirect } from '../../kit/http.ts';
import App from '../correct.ts';

export const note: ExampleNote = {
  id: 'app.variant.refuses-by-redirect',
  clauses: [],
  about: 'Requests that are not authentic are sent to the app’s own help page.',
};

export default class extends App {
  override refused(): Response {
    return redirect('/help');
  }
}
