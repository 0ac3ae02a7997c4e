// Breaks app.manifest.display-title: The titles for languages are a list. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.display-title-as-list',
  clauses: ['app.manifest.display-title'],
  about: 'The titles for languages are a list.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), app_display_title: ['Greeting', 'Sveiciens'] };
  }
}
