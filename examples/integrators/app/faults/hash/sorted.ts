// Breaks app.hash.covers-all-parameters: The hash is computed over sorted parameters, so that no request is ever authentic. Forged ones are refused with all others.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.hash.sorted',
  clauses: ['app.hash.covers-all-parameters'],
  about: 'The hash is computed over sorted parameters, so that no request is ever authentic.',
};

export default class extends App {
  override hashed(query: URLSearchParams): string {
    const sorted = new URLSearchParams(super.hashed(query));
    sorted.sort();
    return sorted.toString();
  }
}
