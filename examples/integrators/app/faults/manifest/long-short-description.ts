// Breaks app.manifest.description-is-brief: The short description is as long as a full one. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.long-short-description',
  clauses: ['app.manifest.description-is-brief'],
  about: 'The short description is as long as a full one.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    return {
      ...super.manifest(),
      app_description_short: 'Greets your visitors on every page of your website. '.repeat(10),
    };
  }
}
