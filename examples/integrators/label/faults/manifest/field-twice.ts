// Breaks provider.manifest.data-field-ids-differ: Two data fields have one id. The rest of the manifest and the page are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.manifest.field-twice',
  clauses: ['provider.manifest.data-field-ids-differ'],
  about: 'Two data fields have one id.',
};

export default class extends LabelPage {
  override manifest(): Record<string, unknown> {
    return {
      ...super.manifest(),
      delivery_api_data_fields: [
        { id: 'depot', title: 'Depot', type: 'text' },
        { id: 'depot', title: 'Second depot', type: 'text' },
      ],
    };
  }
}
