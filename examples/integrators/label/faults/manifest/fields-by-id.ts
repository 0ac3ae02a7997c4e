// Breaks provider.manifest.data-fields: The data fields are an object by id in place of a list. The rest of the manifest and the page are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.manifest.fields-by-id',
  clauses: ['provider.manifest.data-fields'],
  about: 'The data fields are an object by id in place of a list.',
};

export default class extends LabelPage {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), delivery_api_data_fields: { depot: { title: 'Depot', type: 'text' } } };
  }
}
