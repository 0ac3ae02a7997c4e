// Hostile: The label page begins and never ends, and there is no callback.
import type { ExampleNote } from '../../kit/example.ts';
import LabelPage from '../correct.ts';

export const note: ExampleNote = {
  id: 'label.hostile.endless-page',
  clauses: [],
  about: 'The label page begins and never ends, and there is no callback.',
};

export default class extends LabelPage {
  override async report(): Promise<Response> {
    const dribble = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        controller.enqueue(new TextEncoder().encode('<p>wait</p>\n'));
      },
    });
    return new Response(dribble, { headers: { 'content-type': 'text/html' } });
  }
}
