// Breaks provider.manifest.vendor-developer-email: The vendor names no address for notices of changes. The rest of the manifest and the page are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.manifest.no-developer',
  clauses: ['provider.manifest.vendor-developer-email'],
  about: 'The vendor names no address for notices of changes.',
};

export default class extends LabelPage {
  override manifest(): Record<string, unknown> {
    const manifest = super.manifest();
    return { ...manifest, app_vendor: { ...(manifest.app_vendor as object), developer_email: null } };
  }
}
