// Correct: Requests that are not authentic end in an error of the app’s framework.
import type { ExampleNote } from '../../kit/example.ts';
import App from '../correct.ts';

export const note: ExampleNote = {
  id: 'app.variant.refuses-with-500',
  clauses: [],
  about: 'Requests that are not authentic end in an error of the app’s framework.',
};

export default class extends App {
  override refused(): Response {
    throw new Error('hash mismatch');
  }
}
