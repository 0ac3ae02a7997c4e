// Correct: The redirects are of status 307.
import type { ExampleNote } from '../../kit/example.ts';
import App from '../correct.ts';

export const note: ExampleNote = {
  id: 'app.variant.redirect-307',
  clauses: [],
  about: 'The redirects are of status 307.',
};

export default class extends App {
  override async firstLoad(query: URLSearchParams): Promise<Response> {
    return new Response(null, { status: 307, headers: { location: this.wayBack(query) } });
  }
}
