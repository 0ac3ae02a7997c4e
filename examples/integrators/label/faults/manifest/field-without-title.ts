// Breaks provider.manifest.data-field-title: A data field has no title. The rest of the manifest and the page are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.manifest.field-without-title',
  clauses: ['provider.manifest.data-field-title'],
  about: 'A data field has no title.',
};

export default class extends LabelPage {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), delivery_api_data_fields: [{ id: 'depot', type: 'text' }] };
  }
}
