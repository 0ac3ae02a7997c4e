// Breaks app.manifest.vendor-tos-url: The vendor has no terms of service. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.no-terms',
  clauses: ['app.manifest.vendor-tos-url'],
  about: 'The vendor has no terms of service.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    const manifest = super.manifest();
    return { ...manifest, app_vendor: { ...(manifest.app_vendor as object), tos_url: null } };
  }
}
