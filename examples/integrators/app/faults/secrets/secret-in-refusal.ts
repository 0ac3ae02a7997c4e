// Breaks app.leaks.secret: The page for forged requests shows the secret to whoever asks. They are refused.

import type { ExampleNote } from '../../../kit/example.ts';
import { page } from '../../../kit/http.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.secrets.secret-in-refusal',
  clauses: ['app.leaks.secret'],
  about: 'The page for forged requests shows the secret to whoever asks.',
};

export default class extends App {
  override refused(): Response {
    const detail = `<!-- expected HMAC-SHA-256 under ${this.settings.appSecret} -->`;
    return page('Bad request', detail, { status: 400 });
  }
}
