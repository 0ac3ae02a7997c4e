// Breaks app.hash.forged-refused-settings: The hash is not checked on the settings address. Elsewhere it is.
import type { ExampleNote } from '../../../kit/example.ts';
import App, { type Load } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.hash.not-on-settings',
  clauses: ['app.hash.forged-refused-settings'],
  about: 'The hash is not checked on the settings address.',
};

export default class extends App {
  override accepts(query: URLSearchParams, load: Load): boolean {
    return load === 'settings' || super.accepts(query, load);
  }
}
