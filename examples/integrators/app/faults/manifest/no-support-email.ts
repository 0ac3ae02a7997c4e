// Breaks app.manifest.vendor-support-email: The vendor has no address for questions. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.no-support-email',
  clauses: ['app.manifest.vendor-support-email'],
  about: 'The vendor has no address for questions.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    const manifest = super.manifest();
    return { ...manifest, app_vendor: { ...(manifest.app_vendor as object), support_email: null } };
  }
}
