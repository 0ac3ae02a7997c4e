// Correct: The first load answers with a page that refreshes to the callback.

import type { ExampleNote } from '../../kit/example.ts';
import { escaped, page } from '../../kit/http.ts';
import App from '../correct.ts';

export const note: ExampleNote = {
  id: 'app.variant.meta-refresh',
  clauses: [],
  about: 'The first load answers with a page that refreshes to the callback.',
};

export default class extends App {
  override async firstLoad(query: URLSearchParams): Promise<Response> {
    return page('One moment', `<meta http-equiv="refresh" content="0; url=${escaped(this.wayBack(query))}">`);
  }
}
