/** docs/integrator.md: copies the minimal apps of examples/minimal/ into it. The rest of the page is written by hand. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const PAGE = 'docs/integrator.md';
const FOLDER = 'examples/minimal';

/** Files by the languages of their code blocks. */
const FILES = { 'app.ts': 'ts', 'app.php': 'php', 'app.py': 'python', 'manifest.json': 'json' } as const;

/** A page whose blocks hold the files as they are. Throws for a file without a place. */
export function withFiles(page: string, read: (file: string) => string): string {
  let filled = page;
  for (const [file, language] of Object.entries(FILES)) {
    const begins = `<!-- begin ${FOLDER}/${file} -->`;
    const ends = `<!-- end ${file} -->`;
    const [before, rest] = filled.split(begins);
    const after = rest?.split(ends)[1];
    if (before === undefined || after === undefined)
      throw new Error(`${PAGE} has no place for ${file}: write the lines ${begins} and ${ends}.`);
    filled = `${before}${begins}\n\n\`\`\`${language}\n${read(file).trimEnd()}\n\`\`\`\n\n${ends}${after}`;
  }
  return filled;
}

/** The page with the apps as they are now, by its path. */
export function minimalApps(): Map<string, string> {
  const read = (file: string): string => readFileSync(join(ROOT, FOLDER, file), 'utf8');
  return new Map([[PAGE, withFiles(readFileSync(join(ROOT, PAGE), 'utf8'), read)]]);
}
