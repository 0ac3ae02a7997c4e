// Breaks provider.manifest.service-info: The service info is the address itself in place of an object. The rest of the manifest and the page are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.manifest.info-as-address',
  clauses: ['provider.manifest.service-info'],
  about: 'The service info is the address itself in place of an object.',
};

export default class extends LabelPage {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), delivery_service_info: `${this.settings.origin}/stores` };
  }
}
