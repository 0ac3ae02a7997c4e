// Breaks app.hash.exact: Only the first half of the hash is compared. That half is right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.hash.first-half',
  clauses: ['app.hash.exact'],
  about: 'Only the first half of the hash is compared.',
};

export default class extends App {
  override matches(received: string, right: string): boolean {
    return super.matches(received.slice(0, 32), right.slice(0, 32));
  }
}
