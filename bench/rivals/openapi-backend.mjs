// openapi-backend as its manual advises for mocks: validation on, responses from the examples of the document.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { OpenAPIBackend } from 'openapi-backend';

const definition = JSON.parse(readFileSync(process.env.BENCH_DOCUMENT, 'utf8'));
// It drops slashes at the end of requests, but not those of the document.
definition.paths = Object.fromEntries(
  Object.entries(definition.paths).map(([path, item]) => [path.replace(/\/$/, ''), item]),
);
const api = new OpenAPIBackend({ definition, quick: true });
api.register({
  notFound: (_c, _request, response) => response.writeHead(404).end('{"error":true}'),
  validationFail: (c, _request, response) =>
    response.writeHead(400).end(JSON.stringify({ error: c.validation.errors })),
  notImplemented: (c, _request, response) => {
    const { status, mock } = c.api.mockResponseForOperation(c.operation.operationId);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(mock));
  },
});
await api.init();
createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const url = new URL(request.url, 'http://x');
    const body = parts.length === 0 ? undefined : JSON.parse(Buffer.concat(parts).toString());
    const path = url.pathname.replace(/^\/v1/, '');
    void api.handleRequest(
      { method: request.method, path, query: url.search, body, headers: request.headers },
      request,
      response,
    );
  });
}).listen(0, '127.0.0.1', function () {
  console.log(`listening on ${this.address().port}`);
});
