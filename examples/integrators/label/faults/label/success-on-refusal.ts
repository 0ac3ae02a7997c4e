// Breaks provider.label.is-pdf: An order that can not be served is reported as printed; at the label’s address stands the reason. Other orders are printed.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields, type Order } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.label.success-on-refusal',
  clauses: ['provider.label.is-pdf'],
  about: 'An order that can not be served is reported as printed; at the label’s address stands the reason.',
};

export default class extends LabelPage {
  override failure(order: Order, problem: string): Fields {
    const id = this.makeLabel(order, '');
    this.labels.set(id, new TextEncoder().encode(`<!doctype html><p>${problem}</p>`));
    return this.success(order, id);
  }
}
