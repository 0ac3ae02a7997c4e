/**
 * Serves one of the examples in TypeScript: `app`, `label`, or the id of a faulty, variant or hostile one, such as
 * `app.hash.any-case`. Its settings come from the environment:
 *   PORT=5001 SERVICE_BASE=http://127.0.0.1:4010/v1/ API_KEY=… APP_SECRET=… node examples/integrators/serve.ts app
 */
import App from './app/correct.ts';
import { examples } from './index.ts';
import LabelPage from './label/correct.ts';
import type { Integrator } from './support/example.ts';
import { serveLocally } from './support/http.ts';
import { type Settings, settingsFrom } from './support/settings.ts';

/** How to make the example with this id; undefined for an unknown id. */
async function makerOf(id: string): Promise<((settings: Settings) => Integrator) | undefined> {
  if (id === 'app') return (settings) => new App(settings);
  if (id === 'label') return (settings) => new LabelPage(settings);
  return (await examples()).find((example) => example.id === id)?.make;
}

const id = process.argv[2] ?? '';
const make = await makerOf(id);
if (make === undefined) {
  console.error(
    `No example has the id "${id}": name app, label, or one of docs/examples.md, such as app.hash.any-case.`,
  );
  process.exit(2);
}
const served = await serveLocally(Number(process.env.PORT ?? 0), (origin) => {
  const example = make(settingsFrom(process.env, origin));
  example.start?.();
  return (request) => example.respond(request);
});
console.log(`${id} listens on ${served.origin}/, its manifest is ${served.origin}/manifest.json`);
