// Breaks app.manifest.version: The version has two numbers. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.version-of-two-numbers',
  clauses: ['app.manifest.version'],
  about: 'The version has two numbers.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), app_version: '1.0' };
  }
}
