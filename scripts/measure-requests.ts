/**
 * Writes what each check sends, counted in a run on the embedded mock: `node_modules/.bin/node scripts/measure-requests.ts
 * reports/latest` after `npx proofmark run`. Estimates (`run --dry-run`, `doctor`, `explain`) read it; a check that it does not hold
 * is named as unmeasured.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operationAt } from '../contracts/operations/match.ts';
import { reportUsageErrors } from '../harness/process/report-usage-errors.ts';
import { UsageError } from '../harness/process/usage-error.ts';

const FILE = join(import.meta.dirname, '../cli/explain/measured.json');

/** `PUT /v1/store/delivery_method/{handle}/`; pages and other addresses in one. */
function operationOf({ method, url }: { readonly method: string; readonly url: string }): string {
  // An address that is a secret (a login link) is written as its name.
  if (!URL.canParse(url)) return `${method} other addresses`;
  const operation = operationAt(method, url);
  return operation === undefined
    ? `${method} other addresses`
    : `${method} /${operation.document}${operation.template}`;
}

function measure(folder: string): Record<string, Record<string, number>> {
  const measured: Record<string, Record<string, number>> = {};
  // Not readline, which ends a line at U+2028, too: JSON does not escape it.
  for (const line of readFileSync(join(folder, 'events.ndjson'), 'utf8').trimEnd().split('\n')) {
    const event = JSON.parse(line);
    // A check without requests of its own judges what another one of its suite has sent.
    if (event.type === 'check') measured[event.id] ??= {};
    if (event.type !== 'exchange' || event.direction !== 'sent' || event.check === '') continue;
    measured[event.check] ??= {};
    const counts = measured[event.check] as Record<string, number>;
    const operation = operationOf(event.request);
    counts[operation] = (counts[operation] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(measured).sort(([a], [b]) => (a < b ? -1 : 1)));
}

reportUsageErrors('measure-requests');
const [folder = 'reports/latest'] = process.argv.slice(2);
if (!existsSync(join(folder, 'events.ndjson')))
  throw new UsageError(`${folder} has no events.ndjson: name the folder of a run (npx proofmark run --out FOLDER).`);
const measured = measure(folder);
writeFileSync(FILE, `${JSON.stringify(measured, null, 1)}\n`);
console.log(`Wrote what ${Object.keys(measured).length} checks send to ${FILE}.`);
