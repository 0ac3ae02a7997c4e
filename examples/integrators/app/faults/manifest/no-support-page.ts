// Breaks app.manifest.vendor-support-url: The vendor has no page for questions. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.no-support-page',
  clauses: ['app.manifest.vendor-support-url'],
  about: 'The vendor has no page for questions.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    const manifest = super.manifest();
    return { ...manifest, app_vendor: { ...(manifest.app_vendor as object), support_url: null } };
  }
}
