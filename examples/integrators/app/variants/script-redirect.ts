// Correct: The first load answers with a page whose script sends the user back.

import type { ExampleNote } from '../../kit/example.ts';
import { page } from '../../kit/http.ts';
import App from '../correct.ts';

export const note: ExampleNote = {
  id: 'app.variant.script-redirect',
  clauses: [],
  about: 'The first load answers with a page whose script sends the user back.',
};

export default class extends App {
  override async firstLoad(query: URLSearchParams): Promise<Response> {
    const address = JSON.stringify(this.wayBack(query)).replaceAll('<', '\\u003c');
    return page('One moment', `<script>location.replace(${address})</script>`);
  }
}
