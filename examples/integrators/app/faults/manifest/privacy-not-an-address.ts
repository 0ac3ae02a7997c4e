// Breaks app.manifest.vendor-privacy-url: The vendor’s privacy page is not an address. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.privacy-not-an-address',
  clauses: ['app.manifest.vendor-privacy-url'],
  about: 'The vendor’s privacy page is not an address.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    const manifest = super.manifest();
    return { ...manifest, app_vendor: { ...(manifest.app_vendor as object), privacy_url: 7 } };
  }
}
