// Breaks app.install.redirect-drops-hash-and-callback: The redirect keeps the callback. It leaves hash out.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.redirect.keeps-callback',
  clauses: ['app.install.redirect-drops-hash-and-callback'],
  about: 'The redirect keeps the callback.',
};

export default class extends App {
  override returned(query: URLSearchParams): URLSearchParams {
    const rest = super.returned(query);
    rest.append('callback', query.get('callback') ?? '');
    return rest;
  }
}
