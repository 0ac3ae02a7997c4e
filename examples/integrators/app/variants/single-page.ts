// Correct: Every address answers with the same empty page, whose script asks the app what to show, or where to go.
import type { ExampleNote } from '../../kit/example.ts';
import { page } from '../../kit/http.ts';
import App from '../correct.ts';

export const note: ExampleNote = {
  id: 'app.variant.single-page',
  clauses: [],
  about: 'Every address answers with the same empty page, whose script asks the app what to show, or where to go.',
};

/** So long a small backend may take for an answer. */
const BACKEND_MS = 400;

const SCRIPT = `
fetch('/backend' + location.pathname + location.search, { redirect: 'manual', headers: { accept: 'application/json' } })
  .then((answer) => answer.json())
  .then(({ to, html }) => {
    if (to) location.replace(to);
    else document.querySelector('main').innerHTML = html;
  });`;

export default class extends App {
  override async answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === '/install' || pathname === '/settings')
      return page('Greeting', `<main>Loading …</main><script>${SCRIPT}</script>`);
    if (!pathname.startsWith('/backend/')) return super.answer(request);
    await new Promise((resolve) => setTimeout(resolve, BACKEND_MS));
    const answer = await super.answer(new Request(request.url.replace('/backend/', '/')));
    return Response.json({ to: answer.headers.get('location'), html: await answer.text() });
  }
}
