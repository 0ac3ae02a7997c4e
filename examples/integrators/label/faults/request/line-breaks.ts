// Breaks provider.label.reports-back: Line breaks are turned into LF before they are signed, so that orders with line breaks are refused. All other orders are printed.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.request.line-breaks',
  clauses: ['provider.label.reports-back'],
  about: 'Line breaks are turned into LF before they are signed, so that orders with line breaks are refused.',
};

export default class extends LabelPage {
  override accepts(fields: Fields): boolean {
    return super.accepts(fields.map(([name, value]) => [name, value.replaceAll('\r\n', '\n')] as const));
  }
}
