// Correct: The parameters are encoded by RFC 3986 for the hash: a space is %20, and only unreserved characters stay bare.
import type { ExampleNote } from '../../kit/example.ts';
import App from '../correct.ts';

export const note: ExampleNote = {
  id: 'app.variant.rfc3986',
  clauses: [],
  about:
    'The parameters are encoded by RFC 3986 for the hash: a space is %20, and only unreserved characters stay bare.',
};

export default class extends App {
  override hashed(query: URLSearchParams): string {
    const encode = (text: string): string =>
      encodeURIComponent(text).replace(
        /[!'()*]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      );
    const rest = [...query].filter(([name]) => name !== 'hash');
    return rest.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  }
}
