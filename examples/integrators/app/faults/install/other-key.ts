// Breaks app.install.calls-installed, app.calls.authorization-header: installed is called with another key. All other calls carry the right one.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.install.other-key',
  clauses: ['app.install.calls-installed', 'app.calls.authorization-header'],
  about: 'installed is called with another key.',
};

export default class extends App {
  override headersOf(path: string, body: unknown): Record<string, string> {
    const headers = super.headersOf(path, body);
    return path === 'apps/installed/' ? { ...headers, authorization: 'ApiKey 5f2b1c0d9e8f7a6b' } : headers;
  }
}
