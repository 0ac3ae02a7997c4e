// Breaks app.settings.shows-page: The settings address answers with error 404. Forged requests are refused.

import type { ExampleNote } from '../../../kit/example.ts';
import { page } from '../../../kit/http.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.install.settings-missing',
  clauses: ['app.settings.shows-page'],
  about: 'The settings address answers with error 404.',
};

export default class extends App {
  override panel(): Response {
    return page('Not found', '', { status: 404 });
  }
}
