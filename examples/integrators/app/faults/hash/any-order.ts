// Breaks app.hash.covers-all-parameters: The hash is computed over the parameters in the order of the documentation, whatever order they came in. That is the order in which the service sends them.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

/** The parameters that the contract names, besides `hash`. */
const DOCUMENTED = ['authCode', 'appId', 'language', 'callback', 'platformVersion'];

export const note: ExampleNote = {
  id: 'app.hash.any-order',
  clauses: ['app.hash.covers-all-parameters'],
  about: 'The hash is computed over the parameters in the order of the documentation, whatever order they came in.',
};

export default class extends App {
  override hashed(query: URLSearchParams): string {
    const all = [...new URLSearchParams(super.hashed(query))];
    const documented = DOCUMENTED.flatMap((name) => all.filter((pair) => pair[0] === name));
    return new URLSearchParams([...all.filter(([name]) => !DOCUMENTED.includes(name)), ...documented]).toString();
  }
}
