// Breaks app.installations.separate: Data and snippets of every installation go to the first one. installed is called with the right code.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.install.data-of-first',
  clauses: ['app.installations.separate'],
  about: 'Data and snippets of every installation go to the first one.',
};

export default class extends App {
  #first: string | undefined;

  override setUp(authCode: string, language: string): Promise<void> {
    this.#first ??= authCode;
    return super.setUp(this.#first, language);
  }
}
