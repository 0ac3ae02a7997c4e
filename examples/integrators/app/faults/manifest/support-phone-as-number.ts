// Breaks app.manifest.vendor-support-phone: The vendor’s phone is a number. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.support-phone-as-number',
  clauses: ['app.manifest.vendor-support-phone'],
  about: 'The vendor’s phone is a number.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    const manifest = super.manifest();
    return { ...manifest, app_vendor: { ...(manifest.app_vendor as object), support_phone: 37160000000 } };
  }
}
