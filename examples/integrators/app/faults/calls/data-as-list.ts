// Breaks app.calls.data-string-or-object: Data is sent as a list. The snippet is sent right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.calls.data-as-list',
  clauses: ['app.calls.data-string-or-object'],
  about: 'Data is sent as a list.',
};

export default class extends App {
  override dataFor(greeting: string): object {
    return { data: [greeting] };
  }
}
