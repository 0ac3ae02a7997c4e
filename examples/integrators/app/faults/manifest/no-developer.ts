// Breaks app.manifest.vendor-developer-email: The vendor names no address for notices of changes. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.manifest.no-developer',
  clauses: ['app.manifest.vendor-developer-email'],
  about: 'The vendor names no address for notices of changes.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    const manifest = super.manifest();
    return { ...manifest, app_vendor: { ...(manifest.app_vendor as object), developer_email: null } };
  }
}
