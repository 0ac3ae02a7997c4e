// Breaks app.manifest.secret: There is no secret. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.no-secret',
  clauses: ['app.manifest.secret'],
  about: 'There is no secret.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), app_secret: null };
  }
}
