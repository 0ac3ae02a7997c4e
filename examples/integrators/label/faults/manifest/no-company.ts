// Breaks provider.manifest.vendor-company-name: The vendor has no company name. The rest of the manifest and the page are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.manifest.no-company',
  clauses: ['provider.manifest.vendor-company-name'],
  about: 'The vendor has no company name.',
};

export default class extends LabelPage {
  override manifest(): Record<string, unknown> {
    const manifest = super.manifest();
    return { ...manifest, app_vendor: { ...(manifest.app_vendor as object), company_name: undefined } };
  }
}
