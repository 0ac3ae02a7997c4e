// Breaks install.app.first-load-forged-refused, install.app.second-load-forged-refused, install.app.settings-forged-refused: The hash is never checked. The rest is right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.hash.unchecked',
  clauses: [
    'install.app.first-load-forged-refused',
    'install.app.second-load-forged-refused',
    'install.app.settings-forged-refused',
  ],
  about: 'The hash is never checked.',
};

export default class extends App {
  override accepts(): boolean {
    return true;
  }
}
