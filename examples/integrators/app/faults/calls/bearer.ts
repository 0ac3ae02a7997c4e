// Breaks app.calls.authorization-header: set_data is called with the key after the word Bearer. All other calls say ApiKey.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.calls.bearer',
  clauses: ['app.calls.authorization-header'],
  about: 'set_data is called with the key after the word Bearer.',
};

export default class extends App {
  override headersOf(path: string, body: unknown): Record<string, string> {
    const headers = super.headersOf(path, body);
    return path === 'apps/set_data/' ? { ...headers, authorization: `Bearer ${this.settings.apiKey}` } : headers;
  }
}
