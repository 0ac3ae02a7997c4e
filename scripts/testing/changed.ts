/**
 * Which test files a change can affect: those that import a changed file, at any distance, and those that read a changed
 * file of another kind. Types are erased before anything runs, so that `import type` leads nowhere.
 */
import { dirname, join, normalize } from 'node:path/posix';

/** The files of the project: tracked and new ones, relative and with `/`, and the text of each. */
export interface Tree {
  readonly files: readonly string[];
  read(file: string): string;
}

export interface AffectedFiles {
  /** Test files that load a changed file, or read it. */
  readonly tests: readonly string[];
  /** Test files that start the command line in another process, whose code is changed: too long for every save. */
  readonly byProcess: readonly string[];
}

const IS_CODE = /\.(?:ts|mjs|mts|js)$/;
const IS_TEST = /\.test\.ts$/;

/** What runs when the command line is started in another process. */
const COMMAND_LINE = 'cli/main.ts';
const STARTS_COMMAND_LINE = /command\.fixture\.ts'|cli\/(?:main\.ts|proofmark\.mjs)/;

/** Data that code reads by a path that it puts together: who reads what matches, as beginnings of test paths. */
const READERS: readonly (readonly [data: RegExp, tests: readonly string[]])[] = [
  [/^openapi\//, ['openapi/', 'contracts/schemas/', 'contracts/responses', 'scripts/generate/']],
  [
    /^contracts\/(?:clauses|inventory)\//,
    ['contracts/clauses/', 'contracts/inventory/', 'scripts/generate/', 'suites/'],
  ],
  [/^contracts\/vectors\//, ['contracts/vectors/', 'contracts/index']],
  [/^suites\/ids\.snapshot/, ['suites/ids']],
  [/^suites\/properties\/vectors\//, ['suites/properties/', 'cli/run/replay/vectors']],
  [/^reports\/schemas\//, ['reports/', 'harness/evidence/events/']],
  [/^(?:\.github|\.ci|action\.yml|examples\/ci)/, ['scripts/ci/']],
  [/^(?:package(?:-lock)?\.json|tsconfig.*)$/, ['scripts/']],
];

/** The test files that a change of these files can affect, each list sorted. */
export function affectedBy(changed: readonly string[], tree: Tree): AffectedFiles {
  const importers = importersOf(tree);
  const reached = new Set(changed);
  // A set that grows while it is walked is walked to its end.
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
  const all = tree.files.filter((file) => IS_TEST.test(file));
  const data = changed.filter((file) => !IS_CODE.test(file));
  const isReader = (test: string): boolean => data.some((file) => readsIt(test, file, tree));
  const tests = all.filter((test) => reached.has(test) || isReader(test)).sort();
  const byProcess = reached.has(COMMAND_LINE)
    ? all.filter((test) => !tests.includes(test) && STARTS_COMMAND_LINE.test(tree.read(test))).sort()
    : [];
  return { tests, byProcess };
}

function readsIt(test: string, data: string, tree: Tree): boolean {
  const rows = READERS.filter(([pattern]) => pattern.test(data));
  if (rows.length > 0) return rows.some(([, tests]) => tests.some((beginning) => test.startsWith(beginning)));
  // Otherwise a file is read by the tests beside it, and by those that name it.
  return dirname(test) === dirname(data) || tree.read(test).includes(data.split('/').at(-1) ?? data);
}

/** By file: the files that import it. */
function importersOf(tree: Tree): Map<string, string[]> {
  const known = new Set(tree.files);
  const importers = new Map<string, string[]>();
  for (const file of tree.files.filter((one) => IS_CODE.test(one))) {
    for (const imported of importsOf(file, tree.read(file))) {
      if (known.has(imported)) importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  return importers;
}

/** `import … from`, `export … from`, `import '…'`, `import('…')` and `new URL('…', import.meta.url)`. */
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s(?!type\s)[^'"]*?from\s*['"](\.[^'"]+)['"]|(?:import\s*\(|(?:^|\n)import|new URL\()\s*['"](\.[^'"]+)['"]/g;

/** The files that a text imports, as paths from the root. */
export function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].map((match) => normalize(join(dirname(file), match[1] ?? match[2] ?? '')));
}
