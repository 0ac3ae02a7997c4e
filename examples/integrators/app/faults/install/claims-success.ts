// Breaks app.install.failure-not-hidden: The app says that it is installed though the service has refused. When the service agrees, it is right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.install.claims-success',
  clauses: ['app.install.failure-not-hidden'],
  about: 'The app says that it is installed though the service has refused.',
};

export default class extends App {
  override unfinished(query: URLSearchParams): Response {
    return this.finished(query);
  }
}
