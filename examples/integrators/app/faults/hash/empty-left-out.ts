// Breaks app.hash.covers-all-parameters: Parameters without a value are left out of the hash. Without such it is right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.hash.empty-left-out',
  clauses: ['app.hash.covers-all-parameters'],
  about: 'Parameters without a value are left out of the hash.',
};

export default class extends App {
  override hashed(query: URLSearchParams): string {
    return new URLSearchParams([...query].filter(([name, value]) => name !== 'hash' && value !== '')).toString();
  }
}
