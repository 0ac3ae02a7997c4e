// Hostile: Each answer of the app has half a megabyte of headers.
import type { ExampleNote } from '../../kit/example.ts';
import App from '../correct.ts';

const COOKIES = 128;
const COOKIE_BYTES = 4_000;

export const note: ExampleNote = {
  id: 'app.hostile.huge-headers',
  clauses: [],
  about: 'Each answer of the app has half a megabyte of headers.',
};

export default class extends App {
  override async answer(request: Request): Promise<Response> {
    const answer = await super.answer(request);
    if (new URL(request.url).pathname === '/manifest.json') return answer;
    const headers = new Headers(answer.headers);
    for (let at = 0; at < COOKIES; at += 1) headers.append('set-cookie', `cookie${at}=${'x'.repeat(COOKIE_BYTES)}`);
    return new Response(answer.body, { status: answer.status, headers });
  }
}
