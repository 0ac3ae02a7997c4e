// Correct: Requests that are not authentic get a page of status 200.

import type { ExampleNote } from '../../kit/example.ts';
import { page } from '../../kit/http.ts';
import LabelPage from '../correct.ts';

export const note: ExampleNote = {
  id: 'label.variant.refuses-with-200',
  clauses: [],
  about: 'Requests that are not authentic get a page of status 200.',
};

export default class extends LabelPage {
  override refused(): Response {
    return page('Example Parcels', '<p>Please print labels from your store.</p>');
  }
}
