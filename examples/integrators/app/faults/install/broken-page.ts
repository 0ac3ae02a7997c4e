// Breaks app.install.shows-page: After the installation the app shows a page of error 500. The installation is finished.

import type { ExampleNote } from '../../../kit/example.ts';
import { page } from '../../../kit/http.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.install.broken-page',
  clauses: ['app.install.shows-page'],
  about: 'After the installation the app shows a page of error 500.',
};

export default class extends App {
  override finished(): Response {
    return page('Internal error', '', { status: 500 });
  }
}
