// Correct: Requests that are not authentic get a friendly page of status 200.

import type { ExampleNote } from '../../kit/example.ts';
import { page } from '../../kit/http.ts';
import App from '../correct.ts';

export const note: ExampleNote = {
  id: 'app.variant.refuses-with-200',
  clauses: [],
  about: 'Requests that are not authentic get a friendly page of status 200.',
};

export default class extends App {
  override refused(): Response {
    return page('Greeting', '<p>Please open this app from the catalog.</p>');
  }
}
