// Breaks app.manifest.icon-square: The icon measures 80 x 100 pixels. The rest of the manifest and the app are right.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

const OBLONG_PNG = `iVBORw0KGgoAAAANSUhEUgAAAFAAAABkAQAAAAA5gYq7AAAAFklEQVR42mP4DwcMo8xR5ihzlEkuEwCNQORGIowblgAAAABJRU5ErkJggg==`;

export const note: ExampleNote = {
  id: 'app.manifest.oblong-icon',
  clauses: ['app.manifest.icon-square'],
  about: 'The icon measures 80 x 100 pixels.',
};

export default class extends App {
  override icon(): Response {
    return new Response(Buffer.from(OBLONG_PNG, 'base64'), { headers: { 'content-type': 'image/png' } });
  }
}
