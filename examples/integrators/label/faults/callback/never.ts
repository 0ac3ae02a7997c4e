// Breaks provider.label.reports-back: The page says that the label is printed and reports nothing. The label is there.

import type { ExampleNote } from '../../../kit/example.ts';
import { page } from '../../../kit/http.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.callback.never',
  clauses: ['provider.label.reports-back'],
  about: 'The page says that the label is printed and reports nothing.',
};

export default class extends LabelPage {
  override async report(): Promise<Response> {
    return page('The label is printed', '<p>You may close this page.</p>');
  }
}
