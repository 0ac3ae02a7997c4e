/** A page that is far larger than any page should be. */

const PART_BYTES = 1024 * 1024;
const PARTS = 50;

/** 50 MB of HTML, sent as fast as the client reads. */
export function hugePage(): Response {
  const part = new TextEncoder().encode('<p>long</p>\n'.padEnd(PART_BYTES, ' '));
  let sent = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent === PARTS) controller.close();
      else controller.enqueue(part);
      sent += 1;
    },
  });
  return new Response(stream, { headers: { 'content-type': 'text/html; charset=utf-8' } });
}
