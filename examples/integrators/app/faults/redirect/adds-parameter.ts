// Breaks app.install.redirect-adds-nothing: The redirect carries a parameter of the app’s own. All received ones are in it.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.redirect.adds-parameter',
  clauses: ['app.install.redirect-adds-nothing'],
  about: 'The redirect carries a parameter of the app’s own.',
};

export default class extends App {
  override returned(query: URLSearchParams): URLSearchParams {
    const rest = super.returned(query);
    rest.append('app_version', '1.0.0');
    return rest;
  }
}
