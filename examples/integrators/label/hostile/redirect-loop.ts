// Hostile: The label page redirects to itself for ever.
import type { ExampleNote } from '../../kit/example.ts';
import LabelPage from '../correct.ts';

export const note: ExampleNote = {
  id: 'label.hostile.redirect-loop',
  clauses: [],
  about: 'The label page redirects to itself for ever.',
};

export default class extends LabelPage {
  override async printLabel(): Promise<Response> {
    return new Response(null, { status: 307, headers: { location: '/label' } });
  }
}
