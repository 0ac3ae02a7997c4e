// Breaks app.install.redirect-keeps-parameters: The values of the redirect are percent-encoded twice. Values that need no encoding arrive unchanged.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.redirect.encodes-twice',
  clauses: ['app.install.redirect-keeps-parameters'],
  about: 'The values of the redirect are percent-encoded twice.',
};

export default class extends App {
  override returned(query: URLSearchParams): URLSearchParams {
    return new URLSearchParams([...super.returned(query)].map(([name, value]) => [name, encodeURIComponent(value)]));
  }
}
