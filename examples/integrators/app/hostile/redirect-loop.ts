// Hostile: The install and settings addresses redirect to themselves for ever.

import type { ExampleNote } from '../../kit/example.ts';
import { redirect } from '../../kit/http.ts';
import App from '../correct.ts';

export const note: ExampleNote = {
  id: 'app.hostile.redirect-loop',
  clauses: [],
  about: 'The install and settings addresses redirect to themselves for ever.',
};

export default class extends App {
  override async answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    return pathname === '/install' || pathname === '/settings' ? redirect(request.url) : super.answer(request);
  }
}
