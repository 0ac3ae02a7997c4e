// A bare server: reads and parses what it is sent, and answers with prepared JSON of the size that the mock answers with.
import { createServer } from 'node:http';

const bodies = JSON.parse(process.env.BENCH_BODIES);
createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    if (parts.length > 0) JSON.parse(Buffer.concat(parts).toString());
    const kind = new URL(request.url, 'http://x').searchParams.get('bench') ?? request.headers['x-bench'];
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(bodies[kind]));
  });
}).listen(0, '127.0.0.1', function () {
  console.log(`listening on ${this.address().port}`);
});
