// Breaks app.hash.forged-refused-first: The hash is not checked on the first load. Elsewhere it is.
import type { ExampleNote } from '../../../kit/example.ts';
import App, { type Load } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.hash.not-on-first-load',
  clauses: ['app.hash.forged-refused-first'],
  about: 'The hash is not checked on the first load.',
};

export default class extends App {
  override accepts(query: URLSearchParams, load: Load): boolean {
    return load === 'first' || super.accepts(query, load);
  }
}
