/**
 * Serves one of the examples in TypeScript; its settings come from the environment:
 *   PORT=5001 SERVICE_BASE=http://127.0.0.1:4010/v1/ API_KEY=… APP_SECRET=… node examples/integrators/serve.ts app/correct.ts
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serveHere } from './kit/http.ts';
import { type Settings, settingsFrom } from './kit/settings.ts';

/** What the default export of an example makes. */
interface Integrator {
  answer(request: Request): Promise<Response>;
  /** What it does besides, from its start on. */
  start?(): void;
}

const file = process.argv[2];
if (file === undefined) {
  console.error('Name the example to serve, such as app/correct.ts.');
  process.exit(2);
}
const { default: Example } = (await import(pathToFileURL(resolve(import.meta.dirname, file)).href)) as {
  default: new (settings: Settings) => Integrator;
};
const served = await serveHere(Number(process.env.PORT ?? 0), (origin) => {
  const example = new Example(settingsFrom(process.env, origin));
  example.start?.();
  return (request) => example.answer(request);
});
console.log(`${file} listens on ${served.origin}/, its manifest is ${served.origin}/manifest.json`);
