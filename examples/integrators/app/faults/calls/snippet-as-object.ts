// Breaks app.calls.snippet-string: The snippet is sent as an object. Data is sent right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.calls.snippet-as-object',
  clauses: ['app.calls.snippet-string'],
  about: 'The snippet is sent as an object.',
};

export default class extends App {
  override snippetFor(greeting: string): object {
    return { snippet: { html: `<p>${greeting}</p>` } };
  }
}
