// Breaks app.manifest.permissions: The manifest asks for other permissions than FULL. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.other-permissions',
  clauses: ['app.manifest.permissions'],
  about: 'The manifest asks for other permissions than FULL.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), app_permissions: ['READ', 'WRITE'] };
  }
}
