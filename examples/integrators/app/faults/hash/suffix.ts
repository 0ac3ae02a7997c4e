// Breaks app.hash.exact: Characters after the right hash are overlooked. The hash before them is right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.hash.suffix',
  clauses: ['app.hash.exact'],
  about: 'Characters after the right hash are overlooked.',
};

export default class extends App {
  override matches(received: string, right: string): boolean {
    return super.matches(received.slice(0, right.length), right);
  }
}
