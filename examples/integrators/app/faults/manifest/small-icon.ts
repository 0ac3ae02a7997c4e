// Breaks app.manifest.icon-size: The icon measures 64 x 64 pixels. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

const SMALL_PNG = `iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAEklEQVR42mP4DwUMo4xRBukMAOPT/hAC2mzjAAAAAElFTkSuQmCC`;

export const note: ExampleNote = {
  id: 'app.manifest.small-icon',
  clauses: ['app.manifest.icon-size'],
  about: 'The icon measures 64 x 64 pixels.',
};

export default class extends App {
  override icon(): Response {
    return new Response(Buffer.from(SMALL_PNG, 'base64'), { headers: { 'content-type': 'image/png' } });
  }
}
