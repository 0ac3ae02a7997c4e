// Breaks app.manifest.other-addresses: The page with the terms of service is not there. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.terms-not-found',
  clauses: ['app.manifest.other-addresses'],
  about: 'The page with the terms of service is not there.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    const manifest = super.manifest();
    return {
      ...manifest,
      app_vendor: { ...(manifest.app_vendor as object), tos_url: `${this.settings.origin}/agreement` },
    };
  }
}
