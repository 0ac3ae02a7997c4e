// Breaks provider.label.is-pdf: The label is a page of HTML under the content type of a PDF. The callback is right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Order } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.label.html',
  clauses: ['provider.label.is-pdf'],
  about: 'The label is a page of HTML under the content type of a PDF.',
};

export default class extends LabelPage {
  override makeLabel(order: Order, customer: string): string {
    const id = super.makeLabel(order, customer);
    this.labels.set(id, new TextEncoder().encode('<!doctype html><title>Label</title><p>Please print this page.</p>'));
    return id;
  }
}
