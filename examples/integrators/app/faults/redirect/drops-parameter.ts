// Breaks app.install.redirect-keeps-parameters: The redirect leaves platformVersion out. All other parameters are in it.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.redirect.drops-parameter',
  clauses: ['app.install.redirect-keeps-parameters'],
  about: 'The redirect leaves platformVersion out.',
};

export default class extends App {
  override returned(query: URLSearchParams): URLSearchParams {
    const rest = super.returned(query);
    rest.delete('platformVersion');
    return rest;
  }
}
