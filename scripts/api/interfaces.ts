/**
 * Builds the API reference of the three documents as pages that work offline: `npm run build:docs [-- DIR]`, by default into
 * `docs/api/`. The pages are large (2.5 MB each) and made from `openapi/` alone, so they are built when wanted and not kept.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** The documents, by the name of their page. */
export const DOCUMENTS = {
  v1: 'openapi/v1.yaml',
  api: 'openapi/api.yaml',
  integrator: 'openapi/integrator.yaml',
} as const;

/** Writes `NAME.html` for each of these documents into the folder. Throws with what Redocly printed when one cannot be built. */
export function buildReference(folder: string, names: ReadonlyArray<keyof typeof DOCUMENTS>): void {
  mkdirSync(folder, { recursive: true });
  for (const name of names) {
    const redocly = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');
    const args = ['build-docs', DOCUMENTS[name], '--inlineBundle', '--output', join(folder, `${name}.html`)];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const done = spawnSync(process.execPath, [redocly, ...args], { cwd: ROOT, encoding: 'utf8', env });
    if (done.status !== 0) throw new Error(`redocly cannot build ${DOCUMENTS[name]}:\n${done.stdout}${done.stderr}`);
  }
}

if (process.argv[1] === import.meta.filename) {
  const folder = resolve(process.argv[2] ?? join(ROOT, 'docs/api'));
  buildReference(folder, Object.keys(DOCUMENTS) as Array<keyof typeof DOCUMENTS>);
  const pages = Object.keys(DOCUMENTS).map((name) => relative('.', join(folder, `${name}.html`)));
  console.log(`Wrote ${pages.join(', ')}.`);
}
