// Breaks app.install.calls-installed, app.calls.known-operations: installed is called by GET. Key and code are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App, { type Answered } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.install.by-get',
  clauses: ['app.install.calls-installed', 'app.calls.known-operations'],
  about: 'installed is called by GET.',
};

export default class extends App {
  override finish(authCode: string): Promise<Answered> {
    return this.call('GET', 'apps/installed/', authCode);
  }
}
