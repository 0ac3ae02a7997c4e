// Breaks app.install.redirect-keeps-parameters: The redirect names another language than was received. All other parameters are unchanged.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.redirect.changes-language',
  clauses: ['app.install.redirect-keeps-parameters'],
  about: 'The redirect names another language than was received.',
};

export default class extends App {
  override returned(query: URLSearchParams): URLSearchParams {
    const rest = super.returned(query);
    rest.set('language', rest.get('language') === 'de' ? 'en' : 'de');
    return rest;
  }
}
