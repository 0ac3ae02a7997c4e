// Breaks app.hash.forged-refused-first, app.hash.forged-refused-second, app.hash.forged-refused-settings: The hash is never checked. The rest is right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.hash.unchecked',
  clauses: ['app.hash.forged-refused-first', 'app.hash.forged-refused-second', 'app.hash.forged-refused-settings'],
  about: 'The hash is never checked.',
};

export default class extends App {
  override accepts(): boolean {
    return true;
  }
}
