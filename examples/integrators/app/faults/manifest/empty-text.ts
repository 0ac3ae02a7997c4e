// Breaks app.manifest.texts-not-empty: The full description is empty in one of two languages. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.empty-text',
  clauses: ['app.manifest.texts-not-empty'],
  about: 'The full description is empty in one of two languages.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), app_description_full: { en: 'Greets your visitors.', lv: '' } };
  }
}
