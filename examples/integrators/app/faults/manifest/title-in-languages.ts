// Breaks app.manifest.app-title: The title, which is not localizable, is given by language. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.title-in-languages',
  clauses: ['app.manifest.app-title'],
  about: 'The title, which is not localizable, is given by language.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), app_title: { en: 'Greeting' } };
  }
}
