// Breaks provider.manifest.vendor-support-phone: The phone number for support is a number. The rest of the manifest and the page are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.manifest.phone-as-number',
  clauses: ['provider.manifest.vendor-support-phone'],
  about: 'The phone number for support is a number.',
};

export default class extends LabelPage {
  override manifest(): Record<string, unknown> {
    const manifest = super.manifest();
    return { ...manifest, app_vendor: { ...(manifest.app_vendor as object), support_phone: 37160000000 } };
  }
}
