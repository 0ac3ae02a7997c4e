// Breaks provider.label.reports-back: What can not be printed is said on a page and not reported. Labels are reported.

import type { ExampleNote } from '../../../kit/example.ts';
import { page } from '../../../kit/http.ts';
import LabelPage, { type Fields, type Order } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.error.shown-only',
  clauses: ['provider.label.reports-back'],
  about: 'What can not be printed is said on a page and not reported.',
};

export default class extends LabelPage {
  override async report(order: Order, parameters: Fields): Promise<Response> {
    const problem = parameters.find(([name]) => name === 'error_msg')?.[1];
    return problem === undefined ? super.report(order, parameters) : page(problem, '');
  }
}
