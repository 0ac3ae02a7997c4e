// Breaks app.hash.forged-refused-second, app.hash.forged-refused-settings: The hash is checked on the first load only. Elsewhere it is.
import type { ExampleNote } from '../../../kit/example.ts';
import App, { type Load } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.hash.only-on-first-load',
  clauses: ['app.hash.forged-refused-second', 'app.hash.forged-refused-settings'],
  about: 'The hash is checked on the first load only.',
};

export default class extends App {
  override accepts(query: URLSearchParams, load: Load): boolean {
    return load !== 'first' || super.accepts(query, load);
  }
}
