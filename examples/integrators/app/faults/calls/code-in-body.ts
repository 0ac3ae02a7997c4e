// Breaks app.calls.auth-code-in-query: set_data carries its authCode in the body instead of the query. All other calls have it in the query.
import type { ExampleNote } from '../../../kit/example.ts';
import App, { type Answered } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.calls.code-in-body',
  clauses: ['app.calls.auth-code-in-query'],
  about: 'set_data carries its authCode in the body instead of the query.',
};

export default class extends App {
  override addressOf(path: string, authCode: string): string {
    return path === 'apps/set_data/' ? this.settings.base + path : super.addressOf(path, authCode);
  }

  override call(method: 'GET' | 'POST', path: string, authCode: string, body?: object): Promise<Answered> {
    return super.call(method, path, authCode, path === 'apps/set_data/' ? { ...body, authCode } : body);
  }
}
