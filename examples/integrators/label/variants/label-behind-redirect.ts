// Correct: The label’s address redirects to where the PDF lies.

import type { ExampleNote } from '../../kit/example.ts';
import { redirect } from '../../kit/http.ts';
import LabelPage from '../correct.ts';

export const note: ExampleNote = {
  id: 'label.variant.label-behind-redirect',
  clauses: [],
  about: 'The label’s address redirects to where the PDF lies.',
};

export default class extends LabelPage {
  override label(id: string): Response {
    return id.startsWith('file-') ? super.label(id.slice('file-'.length)) : redirect(`/label/file-${id}.pdf`);
  }
}
