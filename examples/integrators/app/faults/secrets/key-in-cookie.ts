// Breaks app.leaks.key: The settings page keeps the key in a cookie. The page is right otherwise.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.secrets.key-in-cookie',
  clauses: ['app.leaks.key'],
  about: 'The settings page keeps the key in a cookie.',
};

export default class extends App {
  override panel(query: URLSearchParams, greeting: string): Response {
    const shown = super.panel(query, greeting);
    shown.headers.set('set-cookie', `key=${encodeURIComponent(this.settings.apiKey)}; HttpOnly`);
    return shown;
  }
}
