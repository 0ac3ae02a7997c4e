/**
 * Writes the reference of the package's exports (`docs/reference/`) from their declarations and comments: `npm run generate:api`.
 * With `--check` it writes nothing and fails when a page is not what would be written.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const REFERENCE = join(ROOT, 'docs/reference');

const made = mkdtempSync(join(tmpdir(), 'proofmark-reference-'));
try {
  const typedoc = join(ROOT, 'node_modules/typedoc/bin/typedoc');
  const options = join(import.meta.dirname, 'typedoc.json');
  const done = spawnSync(process.execPath, [typedoc, '--options', options, '--out', made], { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`typedoc refuses the exports:\n${done.stdout}${done.stderr}`);
  if (process.argv.includes('--check')) {
    const stale = staleIn(made);
    if (stale.length > 0) throw new Error(`Not up to date: ${stale.join(', ')}. Run \`npm run generate:api\`.`);
  } else {
    rmSync(REFERENCE, { recursive: true, force: true });
    cpSync(made, REFERENCE, { recursive: true });
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  rmSync(made, { recursive: true, force: true });
}

/** Pages of `docs/reference/` that differ from those in the folder, or are in one of both only. */
function staleIn(folder: string): string[] {
  const pages = [folder, REFERENCE].flatMap((from) => (existsSync(from) ? globSync('**/*.md', { cwd: from }) : []));
  const textOf = (from: string, page: string): string | undefined =>
    existsSync(join(from, page)) ? readFileSync(join(from, page), 'utf8').replaceAll('\r\n', '\n') : undefined;
  return [...new Set(pages)].sort().filter((page) => textOf(folder, page) !== textOf(REFERENCE, page));
}
