// Hostile: Nobody listens at the addresses of the manifest.
import type { ExampleNote } from '../../kit/example.ts';
import App from '../correct.ts';

export const note: ExampleNote = {
  id: 'app.hostile.down',
  clauses: [],
  about: 'Nobody listens at the addresses of the manifest.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    const elsewhere = this.settings.origin.replace('127.0.0.1', '127.0.0.2');
    return { ...super.manifest(), app_install_url: `${elsewhere}/install`, app_settings_url: `${elsewhere}/settings` };
  }
}
