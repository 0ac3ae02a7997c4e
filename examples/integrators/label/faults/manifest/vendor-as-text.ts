// Breaks provider.manifest.vendor: The vendor is a text in place of an object. The rest of the manifest and the page are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.manifest.vendor-as-text',
  clauses: ['provider.manifest.vendor'],
  about: 'The vendor is a text in place of an object.',
};

export default class extends LabelPage {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), app_vendor: 'Example Parcels Ltd' };
  }
}
