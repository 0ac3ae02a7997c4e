// Breaks app.manifest.icon-url: The address of the icon shows a page. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.icon-is-a-page',
  clauses: ['app.manifest.icon-url'],
  about: 'The address of the icon shows a page.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), app_icon: `${this.settings.origin}/help` };
  }
}
