// Breaks app.hash.exact: A hash made with the API key in place of the secret is taken, too. All other secrets are refused.
import { createHmac } from 'node:crypto';
import type { ExampleNote } from '../../../kit/example.ts';
import App, { type Load } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.hash.key-as-secret',
  clauses: ['app.hash.exact'],
  about: 'A hash made with the API key in place of the secret is taken, too.',
};

export default class extends App {
  override accepts(query: URLSearchParams, load: Load): boolean {
    const withKey = createHmac('sha256', this.settings.apiKey).update(this.hashed(query)).digest('hex');
    return super.accepts(query, load) || this.matches(query.get('hash') ?? '', withKey);
  }
}
