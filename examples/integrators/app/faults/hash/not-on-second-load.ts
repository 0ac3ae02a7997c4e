// Breaks app.hash.forged-refused-second: The hash is not checked on the second load. Elsewhere it is.
import type { ExampleNote } from '../../../kit/example.ts';
import App, { type Load } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.hash.not-on-second-load',
  clauses: ['app.hash.forged-refused-second'],
  about: 'The hash is not checked on the second load.',
};

export default class extends App {
  override accepts(query: URLSearchParams, load: Load): boolean {
    return load === 'second' || super.accepts(query, load);
  }
}
