import { test } from 'node:test';
import { serveLocally } from './http.ts';

const PART_EVERY_MS = 20;

test('a page that never ends, ends when the browser has gone', { timeout: 10_000 }, async (t) => {
  const gone = Promise.withResolvers<void>();
  const served = await serveLocally(0, () => async () => {
    let timer: NodeJS.Timeout | undefined;
    const start = (controller: ReadableStreamDefaultController): void => {
      timer = setInterval(() => controller.enqueue(Buffer.from('a line\n')), PART_EVERY_MS).unref();
    };
    const cancel = (): void => {
      clearInterval(timer);
      gone.resolve();
    };
    return new Response(new ReadableStream({ start, cancel }));
  });
  t.after(() => served.close());
  const leaving = new AbortController();
  const response = await fetch(served.origin, { signal: leaving.signal });
  await response.body?.getReader().read();
  leaving.abort();
  await gone.promise;
});
