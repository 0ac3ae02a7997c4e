// Breaks app.manifest.secret-is-strong: The secret is short enough to be guessed. The rest of the manifest and the app are right.

import type { ExampleNote } from '../../../kit/example.ts';
import type { Settings } from '../../../kit/settings.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.weak-secret',
  clauses: ['app.manifest.secret-is-strong'],
  about: 'The secret is short enough to be guessed.',
};

export default class extends App {
  constructor(settings: Settings) {
    super({ ...settings, appSecret: 'hunter2' });
  }
}
