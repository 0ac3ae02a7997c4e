// Hostile: The label begins as a PDF and never ends.
import type { ExampleNote } from '../../kit/example.ts';
import LabelPage from '../correct.ts';

export const note: ExampleNote = {
  id: 'label.hostile.endless-label',
  clauses: [],
  about: 'The label begins as a PDF and never ends.',
};

export default class extends LabelPage {
  override label(): Response {
    const dribble = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        controller.enqueue(new TextEncoder().encode('%PDF-1.4\n'));
      },
    });
    return new Response(dribble, { headers: { 'content-type': 'application/pdf' } });
  }
}
