// Correct: The page after the installation comes at once; installed is called a moment later.
import type { ExampleNote } from '../../kit/example.ts';
import App from '../correct.ts';

/** What a queue of jobs may take. */
const LATER_MS = 700;

export const note: ExampleNote = {
  id: 'app.variant.finishes-later',
  clauses: [],
  about: 'The page after the installation comes at once; installed is called a moment later.',
};

export default class extends App {
  override async secondLoad(query: URLSearchParams, authCode: string): Promise<Response> {
    setTimeout(() => void super.secondLoad(query, authCode), LATER_MS);
    return this.finished(query);
  }
}
