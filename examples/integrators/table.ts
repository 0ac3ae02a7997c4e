/**
 * The examples as a table for the documentation: what each does, and the clauses by which a precheck finds it.
 * `node scripts/node24.mjs examples/integrators/table.ts` brings the page up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { type Example, examples } from './index.ts';

/** Markdown between these lines is ours; the rest of a page is left as it is. */
export const TABLE_BEGINS = '<!-- examples: generated, see examples/integrators/table.ts -->';
export const TABLE_ENDS = '<!-- end of examples -->';

/** One row an example of this sort, in the order given. */
function tableOf(all: readonly Example[], sort: Example['sort']): string {
  const rows = all.filter((example) => example.sort === sort);
  const clauses = sort === 'fault';
  return [
    clauses ? '| example | what it does | breaks |' : '| example | what it does |',
    clauses ? '|---|---|---|' : '|---|---|',
    ...rows.map(({ id, about, clauses: broken, file }) => {
      const link = `[${id}](../examples/integrators/${file})`;
      const by = broken.map((clause) => `\`${clause}\``).join(', ');
      return clauses ? `| ${link} | ${about} | ${by} |` : `| ${link} | ${about} |`;
    }),
  ].join('\n');
}

/** All that stands between the two lines. */
function tablesOf(all: readonly Example[]): string {
  return [
    'Faulty ones, one deviation each, and the clauses that each breaks:',
    tableOf(all, 'fault'),
    'Correct ones that do things in another way, and pass:',
    tableOf(all, 'variant'),
    'Hostile ones, about which a verdict comes in bounded time:',
    tableOf(all, 'hostile'),
  ].join('\n\n');
}

/** A page with the tables brought up to date. Throws when it has no place for them. */
export function withTables(page: string, all: readonly Example[]): string {
  const [before, rest] = page.split(TABLE_BEGINS);
  const after = rest?.split(TABLE_ENDS)[1];
  if (before === undefined || after === undefined) {
    throw new Error(`The page has no place for the examples: write the lines ${TABLE_BEGINS} and ${TABLE_ENDS}.`);
  }
  return `${before}${TABLE_BEGINS}\n\n${tablesOf(all)}\n\n${TABLE_ENDS}${after}`;
}

/** The page that holds the tables, from the project's root. */
export const PAGE = 'docs/integrator.md';

if (process.argv[1] === import.meta.filename) {
  writeFileSync(PAGE, withTables(readFileSync(PAGE, 'utf8'), await examples()));
}
