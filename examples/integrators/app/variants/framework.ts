// Correct: Cookies on every answer, redirects of status 303, and refusals of status 200 inside the frame of the app.
import { randomUUID } from 'node:crypto';
import type { ExampleNote } from '../../kit/example.ts';
import { page, redirect } from '../../kit/http.ts';
import App from '../correct.ts';

export const note: ExampleNote = {
  id: 'app.variant.framework',
  clauses: [],
  about: 'Cookies on every answer, redirects of status 303, and refusals of status 200 inside the frame of the app.',
};

const inFrame = (html: string): Response =>
  page('Greeting', `<nav><a href="/help">Help</a> <a href="/company">About us</a></nav>${html}`);

export default class extends App {
  override async answer(request: Request): Promise<Response> {
    const answer = await super.answer(request);
    const headers = new Headers(answer.headers);
    headers.append('set-cookie', `session=${randomUUID()}; HttpOnly; SameSite=Lax; Path=/`);
    headers.append('set-cookie', `XSRF-TOKEN=${randomUUID()}; SameSite=Lax; Path=/`);
    return new Response(answer.body, { status: answer.status, headers });
  }

  override async firstLoad(query: URLSearchParams): Promise<Response> {
    return new Response(null, { status: 303, headers: redirect(this.wayBack(query)).headers });
  }

  /** A field and a button without any text beside them. */
  override panel(): Response {
    return inFrame(`<form method="post"><input type="hidden" name="token" value="${randomUUID()}">
      <input name="greeting"><input type="submit"></form>`);
  }

  override refused(): Response {
    return inFrame('<p>Please open Greeting from the catalog of your website.</p>');
  }
}
