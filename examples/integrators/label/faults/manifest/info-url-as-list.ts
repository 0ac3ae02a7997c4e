// Breaks provider.manifest.info-url: The info address is a list. The rest of the manifest and the page are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.manifest.info-url-as-list',
  clauses: ['provider.manifest.info-url'],
  about: 'The info address is a list.',
};

export default class extends LabelPage {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), delivery_service_info: { info_url: [`${this.settings.origin}/stores`] } };
  }
}
