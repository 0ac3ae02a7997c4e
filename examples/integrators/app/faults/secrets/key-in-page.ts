// Breaks app.leaks.key: The key stands in a hidden field of the page after the installation. The page is right otherwise.

import type { ExampleNote } from '../../../kit/example.ts';
import { page } from '../../../kit/http.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.secrets.key-in-page',
  clauses: ['app.leaks.key'],
  about: 'The key stands in a hidden field of the page after the installation.',
};

export default class extends App {
  override finished(): Response {
    return page('Greeting is installed', `<input type="hidden" name="key" value="${this.settings.apiKey}">`);
  }
}
