// Breaks app.leaks.secret: After the installation the browser is sent to an address with the secret in it. The page there is right.

import type { ExampleNote } from '../../../kit/example.ts';
import { redirect } from '../../../kit/http.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.secrets.secret-in-address',
  clauses: ['app.leaks.secret'],
  about: 'After the installation the browser is sent to an address with the secret in it.',
};

export default class extends App {
  override finished(): Response {
    return redirect(`${this.settings.origin}/help?token=${encodeURIComponent(this.settings.appSecret)}`);
  }
}
