// Breaks app.manifest.description-short: There is no short description. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.no-short-description',
  clauses: ['app.manifest.description-short'],
  about: 'There is no short description.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), app_description_short: null };
  }
}
