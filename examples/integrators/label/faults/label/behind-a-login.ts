// Breaks provider.label.is-pdf: The address of the label shows a sign-in page to everybody else. The callback is right.

import type { ExampleNote } from '../../../kit/example.ts';
import { page } from '../../../kit/http.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.label.behind-a-login',
  clauses: ['provider.label.is-pdf'],
  about: 'The address of the label shows a sign-in page to everybody else.',
};

export default class extends LabelPage {
  override label(): Response {
    return page('Sign in', '<form method="post"><input name="user"><input name="password" type="password"></form>');
  }
}
