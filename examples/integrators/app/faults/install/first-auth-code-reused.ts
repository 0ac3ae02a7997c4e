// Breaks app.installations.separate: Every installation is served with the authCode of the first one. Alone, an installation is right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.install.first-auth-code-reused',
  clauses: ['app.installations.separate'],
  about: 'Every installation is served with the authCode of the first one.',
};

export default class extends App {
  #first: string | undefined;

  override addressOf(path: string, authCode: string): string {
    this.#first ??= authCode;
    return super.addressOf(path, this.#first);
  }
}
