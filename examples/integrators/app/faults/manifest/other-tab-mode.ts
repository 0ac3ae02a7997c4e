// Breaks app.manifest.tab-mode: The tab mode is neither blank nor self. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.other-tab-mode',
  clauses: ['app.manifest.tab-mode'],
  about: 'The tab mode is neither blank nor self.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), app_tab_mode: 'popup' };
  }
}
