// Breaks app.install.redirect-keeps-parameters: The redirect carries only the parameters that the documentation names. Those are unchanged.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.redirect.drops-unknown',
  clauses: ['app.install.redirect-keeps-parameters'],
  about: 'The redirect carries only the parameters that the documentation names.',
};

export default class extends App {
  override returned(query: URLSearchParams): URLSearchParams {
    const documented = ['authCode', 'appId', 'language', 'platformVersion'];
    return new URLSearchParams([...query].filter(([name]) => documented.includes(name)));
  }
}
