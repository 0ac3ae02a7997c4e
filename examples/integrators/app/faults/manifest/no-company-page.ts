// Breaks app.manifest.vendor-company-url: The vendor has no page of its own. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.no-company-page',
  clauses: ['app.manifest.vendor-company-url'],
  about: 'The vendor has no page of its own.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    const manifest = super.manifest();
    return { ...manifest, app_vendor: { ...(manifest.app_vendor as object), company_url: null } };
  }
}
