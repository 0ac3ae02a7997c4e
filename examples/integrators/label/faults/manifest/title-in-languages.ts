// Breaks provider.manifest.app-title: The title, which is not localizable, is given by language. The rest of the manifest and the page are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.manifest.title-in-languages',
  clauses: ['provider.manifest.app-title'],
  about: 'The title, which is not localizable, is given by language.',
};

export default class extends LabelPage {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), app_title: { en: 'Example Parcels' } };
  }
}
