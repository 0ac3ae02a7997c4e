// Breaks app.hash.exact: The hash is compared without regard to case. What it is computed over is right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.hash.any-case',
  clauses: ['app.hash.exact'],
  about: 'The hash is compared without regard to case.',
};

export default class extends App {
  override matches(received: string, right: string): boolean {
    return super.matches(received.toLowerCase(), right);
  }
}
