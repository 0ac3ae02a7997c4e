// Correct: The page leads through two steps; who is on which is remembered by a cookie. Success is reported by the server.
import { randomUUID } from 'node:crypto';
import type { ExampleNote } from '../../kit/example.ts';
import { page, redirect } from '../../kit/http.ts';
import LabelPage, { type Fields, type Order } from '../correct.ts';

export const note: ExampleNote = {
  id: 'label.variant.wizard-with-cookies',
  clauses: [],
  about:
    'The page leads through two steps; who is on which is remembered by a cookie. Success is reported by the server.',
};

export default class extends LabelPage {
  readonly #visits = new Map<string, Fields>();

  override async answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith('/step/')) return super.answer(request);
    const visit = /(?:^|; )visit=([^;]+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? '';
    const fields = this.#visits.get(visit);
    if (fields === undefined) return page('Your visit is over', '', { status: 403 });
    if (pathname === '/step/3') {
      this.#visits.delete(visit);
      return super.printLabel(fields);
    }
    const next = pathname === '/step/1' ? '/step/2' : '/step/3';
    return page(
      'Uzlīme',
      `<form method="post" action="${next}"><label>Skaits <input name="count" required></label> <button>Tālāk</button></form>`,
    );
  }

  override async printLabel(fields: Fields): Promise<Response> {
    if (!this.accepts(fields)) return this.refused();
    const visit = randomUUID();
    this.#visits.set(visit, fields);
    const { headers } = redirect('/step/1');
    headers.set('set-cookie', `visit=${visit}; Path=/; HttpOnly; SameSite=Lax`);
    return new Response(null, { status: 303, headers });
  }

  override async report(order: Order, parameters: Fields): Promise<Response> {
    await fetch(this.callback(order, parameters)).catch(() => {});
    return page('Uzlīme ir gatava', '<form action="/stores"><button>Drukāt vēl vienu</button></form>');
  }
}
