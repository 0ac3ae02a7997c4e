// Correct: A queue of jobs calls installed some seconds after the page of the second load, one job after another.
import type { ExampleNote } from '../../kit/example.ts';
import App from '../correct.ts';

/** How often the queue is looked at. */
const EVERY_MS = 4_000;

export const note: ExampleNote = {
  id: 'app.variant.queue',
  clauses: [],
  about: 'A queue of jobs calls installed some seconds after the page of the second load, one job after another.',
};

export default class extends App {
  #queue: Promise<unknown> = Promise.resolve();

  override async secondLoad(query: URLSearchParams, authCode: string): Promise<Response> {
    const due = new Promise((resolve) => setTimeout(resolve, EVERY_MS).unref());
    this.#queue = this.#queue.then(() => due).then(() => super.secondLoad(query, authCode));
    return this.finished(query);
  }
}
