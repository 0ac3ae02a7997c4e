// Breaks app.install.first-load-redirects: The first load shows a page and redirects nowhere. The second load is right.

import type { ExampleNote } from '../../../kit/example.ts';
import { page } from '../../../kit/http.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.redirect.never',
  clauses: ['app.install.first-load-redirects'],
  about: 'The first load shows a page and redirects nowhere.',
};

export default class extends App {
  override async firstLoad(): Promise<Response> {
    return page('Welcome', '<p>Thank you for choosing Greeting.</p>');
  }
}
