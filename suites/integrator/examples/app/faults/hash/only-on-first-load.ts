// Breaks install.app.second-load-forged-refused, install.app.settings-forged-refused: The hash is checked on the first load only. Elsewhere it is.
import type { ExampleNote } from '../../../kit/example.ts';
import App, { type Load } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.hash.only-on-first-load',
  clauses: ['install.app.second-load-forged-refused', 'install.app.settings-forged-refused'],
  about: 'The hash is checked on the first load only.',
};

export default class extends App {
  override accepts(query: URLSearchParams, load: Load): boolean {
    return load !== 'first' || super.accepts(query, load);
  }
}
