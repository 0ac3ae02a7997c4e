// Breaks app.manifest.install-url: The install address is a path without a host. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.install-address-is-a-path',
  clauses: ['app.manifest.install-url'],
  about: 'The install address is a path without a host.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), app_install_url: 'install' };
  }
}
