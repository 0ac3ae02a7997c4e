// Breaks provider.label.content-type: The label is served under a content type of its own. It is a PDF.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.label.other-content-type',
  clauses: ['provider.label.content-type'],
  about: 'The label is served under a content type of its own.',
};

export default class extends LabelPage {
  override label(id: string): Response {
    const shown = super.label(id);
    if (shown.ok) shown.headers.set('content-type', 'application/octet-stream');
    return shown;
  }
}
