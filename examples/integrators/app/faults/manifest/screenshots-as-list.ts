// Breaks app.manifest.screenshots: The screenshots are a list of addresses. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.screenshots-as-list',
  clauses: ['app.manifest.screenshots'],
  about: 'The screenshots are a list of addresses.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), app_screenshots: [`${this.settings.origin}/icon.png`] };
  }
}
