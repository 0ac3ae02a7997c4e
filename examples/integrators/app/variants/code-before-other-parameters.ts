// Correct: authCode is the second parameter of each call’s query, after one of the app’s own.
import type { ExampleNote } from '../../kit/example.ts';
import App from '../correct.ts';

export const note: ExampleNote = {
  id: 'app.variant.code-before-other-parameters',
  clauses: [],
  about: 'authCode is the second parameter of each call’s query, after one of the app’s own.',
};

export default class extends App {
  override addressOf(path: string, authCode: string): string {
    return `${this.settings.base}${path}?${new URLSearchParams({ v: '2', authCode })}`;
  }
}
