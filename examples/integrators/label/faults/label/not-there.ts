// Breaks provider.label.is-pdf: The address of the label answers with error 404. The callback is right.

import type { ExampleNote } from '../../../kit/example.ts';
import { page } from '../../../kit/http.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.label.not-there',
  clauses: ['provider.label.is-pdf'],
  about: 'The address of the label answers with error 404.',
};

export default class extends LabelPage {
  override label(): Response {
    return page('Not found', '', { status: 404 });
  }
}
