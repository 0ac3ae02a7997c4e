// Correct: The page says that the label is being printed; the callback comes a moment later.

import type { ExampleNote } from '../../kit/example.ts';
import { page } from '../../kit/http.ts';
import LabelPage, { type Fields, type Order } from '../correct.ts';

/** What a queue of jobs may take. */
const LATER_MS = 700;

export const note: ExampleNote = {
  id: 'label.variant.reports-later',
  clauses: [],
  about: 'The page says that the label is being printed; the callback comes a moment later.',
};

export default class extends LabelPage {
  override async report(order: Order, parameters: Fields): Promise<Response> {
    setTimeout(() => void fetch(this.callback(order, parameters)).catch(() => {}), LATER_MS);
    return page('The label is being printed', '');
  }
}
