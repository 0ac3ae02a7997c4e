// Correct: The hash is computed over the query string as it was received, without its hash.
import type { ExampleNote } from '../../kit/example.ts';
import App from '../correct.ts';

export const note: ExampleNote = {
  id: 'app.variant.hash-as-received',
  clauses: [],
  about: 'The hash is computed over the query string as it was received, without its hash.',
};

export default class extends App {
  #received = '';

  override answer(request: Request): Promise<Response> {
    this.#received = new URL(request.url).search.slice(1);
    return super.answer(request);
  }

  override hashed(): string {
    return this.#received
      .split('&')
      .filter((part) => !part.startsWith('hash='))
      .join('&');
  }
}
