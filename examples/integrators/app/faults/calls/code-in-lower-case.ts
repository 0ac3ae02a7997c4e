// Breaks app.calls.auth-code-spelling: The query parameter is spelled authcode. The service takes it all the same.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.calls.code-in-lower-case',
  clauses: ['app.calls.auth-code-spelling'],
  about: 'The query parameter is spelled authcode.',
};

export default class extends App {
  override addressOf(path: string, authCode: string): string {
    return super.addressOf(path, authCode).replace('authCode=', 'authcode=');
  }
}
