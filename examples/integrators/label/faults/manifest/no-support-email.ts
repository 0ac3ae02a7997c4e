// Breaks provider.manifest.vendor-support-email: The vendor has no e-mail address for support. The rest of the manifest and the page are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.manifest.no-support-email',
  clauses: ['provider.manifest.vendor-support-email'],
  about: 'The vendor has no e-mail address for support.',
};

export default class extends LabelPage {
  override manifest(): Record<string, unknown> {
    const manifest = super.manifest();
    return { ...manifest, app_vendor: { ...(manifest.app_vendor as object), support_email: undefined } };
  }
}
