// Hostile: The install and settings addresses take requests and never answer.
import type { ExampleNote } from '../../kit/example.ts';
import App from '../correct.ts';

export const note: ExampleNote = {
  id: 'app.hostile.never-answers',
  clauses: [],
  about: 'The install and settings addresses take requests and never answer.',
};

export default class extends App {
  override install(): Promise<Response> {
    return new Promise(() => {});
  }

  override settingsLoad(): Promise<Response> {
    return new Promise(() => {});
  }
}
