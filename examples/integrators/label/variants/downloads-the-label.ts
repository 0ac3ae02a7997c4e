// Correct: The answer is the label itself, as a download; the server has reported it before.
import type { ExampleNote } from '../../kit/example.ts';
import LabelPage, { type Fields, type Order } from '../correct.ts';

export const note: ExampleNote = {
  id: 'label.variant.downloads-the-label',
  clauses: [],
  about: 'The answer is the label itself, as a download; the server has reported it before.',
};

export default class extends LabelPage {
  override async report(order: Order, parameters: Fields): Promise<Response> {
    await fetch(this.callback(order, parameters)).catch(() => {});
    const address = Object.fromEntries(parameters).label_url ?? '';
    const pdf = this.label(new URL(address || this.settings.origin).pathname.slice('/label/'.length, -'.pdf'.length));
    pdf.headers.set('content-disposition', 'attachment; filename="label.pdf"');
    return pdf;
  }
}
