// Breaks provider.manifest.info-url-https: Nothing stands at the info address. The rest of the manifest and the page are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.manifest.info-url-not-there',
  clauses: ['provider.manifest.info-url-https'],
  about: 'Nothing stands at the info address.',
};

export default class extends LabelPage {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), delivery_service_info: { info_url: `${this.settings.origin}/nowhere` } };
  }
}
