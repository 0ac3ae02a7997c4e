// Breaks app.hash.exact: A beginning of the right hash is enough. Every other character has to be right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.hash.prefix',
  clauses: ['app.hash.exact'],
  about: 'A beginning of the right hash is enough.',
};

export default class extends App {
  override matches(received: string, right: string): boolean {
    return received !== '' && right.startsWith(received);
  }
}
