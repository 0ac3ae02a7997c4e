// Hostile: The page after the installation, and the settings, never end.
import type { ExampleNote } from '../../kit/example.ts';
import App from '../correct.ts';

const EVERY_MS = 50;

export const note: ExampleNote = {
  id: 'app.hostile.endless-page',
  clauses: [],
  about: 'The page after the installation, and the settings, never end.',
};

function endless(): Response {
  let timer: NodeJS.Timeout | undefined;
  const body = new ReadableStream({
    start: (controller) => {
      timer = setInterval(() => controller.enqueue(Buffer.from('<p>And another line.</p>\n')), EVERY_MS);
    },
    cancel: () => clearInterval(timer),
  });
  return new Response(body, { headers: { 'content-type': 'text/html; charset=utf-8' } });
}

export default class extends App {
  override finished(): Response {
    return endless();
  }

  override panel(): Response {
    return endless();
  }
}
