// Breaks app.calls.snippet-string: The language of the snippet is sent by its name. The snippet is a string.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.calls.snippet-language-by-name',
  clauses: ['app.calls.snippet-string'],
  about: 'The language of the snippet is sent by its name.',
};

export default class extends App {
  override snippetFor(greeting: string): object {
    return { ...super.snippetFor(greeting), language: 'English' };
  }
}
