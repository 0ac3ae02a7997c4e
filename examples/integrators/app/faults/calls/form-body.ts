// Breaks envelope.v1.request-bodies-are-json: Bodies are sent as a web form. Names and values are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.calls.form-body',
  clauses: ['envelope.v1.request-bodies-are-json'],
  about: 'Bodies are sent as a web form.',
};

export default class extends App {
  override headersOf(path: string, body: unknown): Record<string, string> {
    const headers = super.headersOf(path, body);
    return body === undefined ? headers : { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
  }

  override written(body: object): string {
    const pairs = Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    return new URLSearchParams(pairs).toString();
  }
}
