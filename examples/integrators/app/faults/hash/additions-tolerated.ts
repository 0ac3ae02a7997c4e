// Breaks app.hash.covers-all-parameters: When the hash does not fit, unknown parameters are left out and it is tried again. Changes of known parameters are noticed.
import type { ExampleNote } from '../../../kit/example.ts';
import App, { type Load } from '../../correct.ts';

/** The parameters that the contract names, besides `hash`. */
const DOCUMENTED = ['authCode', 'appId', 'language', 'callback', 'platformVersion'];

export const note: ExampleNote = {
  id: 'app.hash.additions-tolerated',
  clauses: ['app.hash.covers-all-parameters'],
  about: 'When the hash does not fit, unknown parameters are left out and it is tried again.',
};

export default class extends App {
  override accepts(query: URLSearchParams, load: Load): boolean {
    const known = [...query].filter(([name]) => name === 'hash' || DOCUMENTED.includes(name));
    return super.accepts(query, load) || super.accepts(new URLSearchParams(known), load);
  }
}
