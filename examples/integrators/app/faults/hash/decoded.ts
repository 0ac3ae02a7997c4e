// Breaks app.hash.covers-all-parameters: The hash is computed over decoded parameters, so that no request is ever authentic. Forged ones are refused with all others.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.hash.decoded',
  clauses: ['app.hash.covers-all-parameters'],
  about: 'The hash is computed over decoded parameters, so that no request is ever authentic.',
};

export default class extends App {
  override hashed(query: URLSearchParams): string {
    return decodeURIComponent(super.hashed(query));
  }
}
