// Breaks provider.label.is-pdf: The label begins as a PDF and ends before its first page. The callback is right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Order } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.label.cut-off',
  clauses: ['provider.label.is-pdf'],
  about: 'The label begins as a PDF and ends before its first page.',
};

export default class extends LabelPage {
  override makeLabel(order: Order, customer: string): string {
    const id = super.makeLabel(order, customer);
    this.labels.set(id, new TextEncoder().encode('%PDF-1.4\n'));
    return id;
  }
}
