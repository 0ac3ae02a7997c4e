// Breaks provider.manifest.app-type: The manifest is of another type. The rest of the manifest and the page are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.manifest.app-type',
  clauses: ['provider.manifest.app-type'],
  about: 'The manifest is of another type.',
};

export default class extends LabelPage {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), app_type: 'APP' };
  }
}
