// Breaks app.manifest.https: The install address of another machine is reached over plain http. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.plain-http',
  clauses: ['app.manifest.https'],
  about: 'The install address of another machine is reached over plain http.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), app_install_url: 'http://apps.example/install' };
  }
}
