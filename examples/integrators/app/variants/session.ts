// Correct: After the installation and in the settings the user is signed in by a cookie and sent to a page of the app.
import { randomUUID } from 'node:crypto';
import type { ExampleNote } from '../../kit/example.ts';
import { page, redirect } from '../../kit/http.ts';
import App from '../correct.ts';

export const note: ExampleNote = {
  id: 'app.variant.session',
  clauses: [],
  about: 'After the installation and in the settings the user is signed in by a cookie and sent to a page of the app.',
};

export default class extends App {
  readonly #sessions = new Set<string>();

  override async answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname !== '/panel') return super.answer(request);
    const session = /session=([\w-]+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? '';
    return this.#sessions.has(session) ? page('Greeting', '<p>Welcome back.</p>') : this.refused();
  }

  override finished(): Response {
    const session = randomUUID();
    this.#sessions.add(session);
    const sent = redirect('/panel');
    sent.headers.set('set-cookie', `session=${session}; HttpOnly; SameSite=Lax; Path=/`);
    return sent;
  }

  override panel(): Response {
    return this.finished();
  }
}
