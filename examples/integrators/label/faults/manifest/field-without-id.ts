// Breaks provider.manifest.data-field-id: A data field has no id. The rest of the manifest and the page are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.manifest.field-without-id',
  clauses: ['provider.manifest.data-field-id'],
  about: 'A data field has no id.',
};

export default class extends LabelPage {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), delivery_api_data_fields: [{ title: 'Depot', type: 'text' }] };
  }
}
