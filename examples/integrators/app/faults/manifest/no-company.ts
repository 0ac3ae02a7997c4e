// Breaks app.manifest.vendor-company-name: The vendor has no company_name. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.no-company',
  clauses: ['app.manifest.vendor-company-name'],
  about: 'The vendor has no company_name.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    const manifest = super.manifest();
    return { ...manifest, app_vendor: { ...(manifest.app_vendor as object), company_name: null } };
  }
}
