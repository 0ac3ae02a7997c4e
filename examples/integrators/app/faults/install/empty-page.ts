// Breaks app.install.shows-page: After the installation the app answers without a page. The installation is finished.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.install.empty-page',
  clauses: ['app.install.shows-page'],
  about: 'After the installation the app answers without a page.',
};

export default class extends App {
  override finished(): Response {
    return new Response(null, { status: 204 });
  }
}
