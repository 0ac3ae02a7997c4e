// Correct: The first load goes by way of another address of the app, which redirects to the callback.

import type { ExampleNote } from '../../kit/example.ts';
import { redirect } from '../../kit/http.ts';
import App from '../correct.ts';

export const note: ExampleNote = {
  id: 'app.variant.by-way-of-own-page',
  clauses: [],
  about: 'The first load goes by way of another address of the app, which redirects to the callback.',
};

export default class extends App {
  override async answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    return pathname === '/leave' ? redirect(searchParams.get('to') ?? '') : super.answer(request);
  }

  override async firstLoad(query: URLSearchParams): Promise<Response> {
    return redirect(`/leave?${new URLSearchParams({ to: this.wayBack(query) })}`);
  }
}
