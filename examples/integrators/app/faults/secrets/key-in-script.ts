// Breaks app.leaks.key: The page after the installation loads a script that holds the key. The page itself does not show it.

import type { ExampleNote } from '../../../kit/example.ts';
import { page } from '../../../kit/http.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.secrets.key-in-script',
  clauses: ['app.leaks.key'],
  about: 'The page after the installation loads a script that holds the key.',
};

export default class extends App {
  override async answer(request: Request): Promise<Response> {
    if (new URL(request.url).pathname !== '/app.js') return super.answer(request);
    const script = `globalThis.greetingKey = ${JSON.stringify(this.settings.apiKey)};`;
    return new Response(script, { headers: { 'content-type': 'text/javascript' } });
  }

  override finished(): Response {
    return page('Greeting is installed', '<script src="/app.js"></script>');
  }
}
