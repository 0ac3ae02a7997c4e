// Breaks app.hash.forged-refused-first, app.hash.forged-refused-second, app.hash.forged-refused-settings: A request without a hash is taken for authentic. A hash that is there is checked.
import type { ExampleNote } from '../../../kit/example.ts';
import App, { type Load } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.hash.missing-accepted',
  clauses: ['app.hash.forged-refused-first', 'app.hash.forged-refused-second', 'app.hash.forged-refused-settings'],
  about: 'A request without a hash is taken for authentic.',
};

export default class extends App {
  override accepts(query: URLSearchParams, load: Load): boolean {
    return !query.has('hash') || super.accepts(query, load);
  }
}
