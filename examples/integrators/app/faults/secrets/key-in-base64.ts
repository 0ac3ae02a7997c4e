// Breaks app.leaks.key: The key stands in the settings page as base64. The page is right otherwise.

import type { ExampleNote } from '../../../kit/example.ts';
import { page } from '../../../kit/http.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.secrets.key-in-base64',
  clauses: ['app.leaks.key'],
  about: 'The key stands in the settings page as base64.',
};

export default class extends App {
  override panel(): Response {
    const config = Buffer.from(JSON.stringify({ key: this.settings.apiKey })).toString('base64');
    return page('Settings of Greeting', `<div data-config="${config}"></div>`);
  }
}
