// Breaks app.install.redirect-drops-hash-and-callback: The redirect keeps the hash. It leaves callback out.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.redirect.keeps-hash',
  clauses: ['app.install.redirect-drops-hash-and-callback'],
  about: 'The redirect keeps the hash.',
};

export default class extends App {
  override returned(query: URLSearchParams): URLSearchParams {
    const rest = super.returned(query);
    rest.append('hash', query.get('hash') ?? '');
    return rest;
  }
}
