// Breaks app.manifest.settings-url: There is no settings address. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.no-settings-address',
  clauses: ['app.manifest.settings-url'],
  about: 'There is no settings address.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), app_settings_url: null };
  }
}
