// Breaks app.calls.data-empty-list: An empty list is sent where an empty object is meant, as PHP does it. The snippet is sent right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.calls.data-as-empty-list',
  clauses: ['app.calls.data-empty-list'],
  about: 'An empty list is sent where an empty object is meant, as PHP does it.',
};

export default class extends App {
  override dataFor(): object {
    return { data: [] };
  }
}
