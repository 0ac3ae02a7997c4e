// Breaks provider.manifest.texts-not-empty: A data field has an empty title. The rest of the manifest and the page are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.manifest.empty-title',
  clauses: ['provider.manifest.texts-not-empty'],
  about: 'A data field has an empty title.',
};

export default class extends LabelPage {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), delivery_api_data_fields: [{ id: 'depot', title: '', type: 'text' }] };
  }
}
