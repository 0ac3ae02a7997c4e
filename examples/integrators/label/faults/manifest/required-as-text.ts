// Breaks provider.manifest.data-field-required: Whether a data field is required is said by a text. The rest of the manifest and the page are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.manifest.required-as-text',
  clauses: ['provider.manifest.data-field-required'],
  about: 'Whether a data field is required is said by a text.',
};

export default class extends LabelPage {
  override manifest(): Record<string, unknown> {
    return {
      ...super.manifest(),
      delivery_api_data_fields: [{ id: 'depot', title: 'Depot', type: 'text', required: 'yes' }],
    };
  }
}
