// Breaks app.manifest.description-full: There is no full description. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.no-full-description',
  clauses: ['app.manifest.description-full'],
  about: 'There is no full description.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), app_description_full: null };
  }
}
