// Correct: The page makes one label at a time, and takes seconds for each; meanwhile others wait.
import type { ExampleNote } from '../../kit/example.ts';
import LabelPage, { type Fields, type Order } from '../correct.ts';

export const note: ExampleNote = {
  id: 'label.variant.one-after-another',
  clauses: [],
  about: 'The page makes one label at a time, and takes seconds for each; meanwhile others wait.',
};

/** A printer service far away. */
const LABEL_MS = 4_500;

export default class extends LabelPage {
  #before: Promise<unknown> = Promise.resolve();

  override report(order: Order, parameters: Fields): Promise<Response> {
    const made = this.#before
      .then(() => new Promise((resolve) => setTimeout(resolve, LABEL_MS)))
      .then(() => super.report(order, parameters));
    this.#before = made;
    return made;
  }
}
