// Breaks app.manifest.app-type: The manifest is of another type. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.other-type',
  clauses: ['app.manifest.app-type'],
  about: 'The manifest is of another type.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), app_type: 'DELIVERY_SERVICE' };
  }
}
