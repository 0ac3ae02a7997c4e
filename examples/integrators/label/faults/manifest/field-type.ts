// Breaks provider.manifest.data-field-type: A data field is of a type that the contract does not have. The rest of the manifest and the page are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.manifest.field-type',
  clauses: ['provider.manifest.data-field-type'],
  about: 'A data field is of a type that the contract does not have.',
};

export default class extends LabelPage {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), delivery_api_data_fields: [{ id: 'depot', title: 'Depot', type: 'number' }] };
  }
}
