// Breaks app.hash.covers-all-parameters: The hash is computed over the documented parameters only. Without others it is right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

/** The parameters that the contract names, besides `hash`. */
const DOCUMENTED = ['authCode', 'appId', 'language', 'callback', 'platformVersion'];

export const note: ExampleNote = {
  id: 'app.hash.known-only',
  clauses: ['app.hash.covers-all-parameters'],
  about: 'The hash is computed over the documented parameters only.',
};

export default class extends App {
  override hashed(query: URLSearchParams): string {
    return new URLSearchParams([...query].filter(([name]) => DOCUMENTED.includes(name))).toString();
  }
}
