// Breaks app.calls.known-operations: The app calls an operation that the interface does not have. All other calls are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.calls.unknown-operation',
  clauses: ['app.calls.known-operations'],
  about: 'The app calls an operation that the interface does not have.',
};

export default class extends App {
  override async setUp(authCode: string, language: string): Promise<void> {
    await super.setUp(authCode, language);
    await this.call('POST', 'apps/publish/', authCode);
  }
}
