// Breaks app.manifest.vendor: The vendor is a name, not an object. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.vendor-as-text',
  clauses: ['app.manifest.vendor'],
  about: 'The vendor is a name, not an object.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), app_vendor: 'Example Apps Ltd' };
  }
}
