// Breaks app.leaks.secret: The secret stands in a script of the settings page. The page is right otherwise.

import type { ExampleNote } from '../../../kit/example.ts';
import { page } from '../../../kit/http.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.secrets.secret-in-page',
  clauses: ['app.leaks.secret'],
  about: 'The secret stands in a script of the settings page.',
};

export default class extends App {
  override panel(): Response {
    return page('Settings of Greeting', `<script>const secret = ${JSON.stringify(this.settings.appSecret)};</script>`);
  }
}
