/**
 * Cases of properties that are kept in files: those that come with Proofmark and those of the user's own folder. Every run
 * tries them first; `--promote` adds the counterexamples of a run to the folder.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { UsageError } from '../../../harness/process/usage-error.ts';
import { PROOFMARK_VERSION } from '../../../harness/process/version.ts';
import type { PropertyVector } from '../../../harness/resources/run-info.ts';
import type { Results } from '../../../reports/results/shape.ts';

/** Where a user's own cases are kept, beside the place that the command is run from. */
export const VECTORS_FOLDER = 'proofmark-vectors';

const OWN = fileURLToPath(new URL('../../../suites/properties/vectors/', import.meta.url));
const SCHEMA = 'vectors.schema.json';

/** The cases that come with Proofmark. */
export const ownVectors = (): readonly PropertyVector[] => vectorsAt(OWN);

/** The cases of a folder or of a file; of the default folder none where it is not there. Throws a UsageError that names the file. */
export function userVectors(path: string | undefined, mayBeMade = false): readonly PropertyVector[] {
  if (path !== undefined && !mayBeMade && !existsSync(path))
    throw new UsageError(`--vectors ${path} is not there: name a folder of cases, or one of them.`);
  return existsSync(path ?? VECTORS_FOLDER) ? vectorsAt(path ?? VECTORS_FOLDER) : [];
}

function vectorsAt(path: string): PropertyVector[] {
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => name.endsWith('.json') && name !== SCHEMA)
        .sort()
        .map((name) => join(path, name))
    : [path];
  if (files.length === 0) return [];
  const validate = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(join(OWN, SCHEMA), 'utf8')));
  return files.map((file) => {
    const json = parsed(file);
    if (!validate(json)) {
      const [fault] = validate.errors ?? [];
      const where = fault?.instancePath === '' ? 'it' : fault?.instancePath;
      throw new UsageError(`${file} is not a case of a property: ${where} ${fault?.message}. Correct it or delete it.`);
    }
    const { property, case: one } = json as Pick<PropertyVector, 'property' | 'case'>;
    return { property, file, case: one };
  });
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file} can't be read as JSON: ${(error as Error).message}. Correct it or delete it.`);
  }
}

/** States before the run that its counterexamples can be kept in a folder. */
export function checkPromotion(path: string | undefined): void {
  if (path !== undefined && existsSync(path) && !statSync(path).isDirectory())
    throw new UsageError(`--promote needs a folder in --vectors, and ${path} is a file.`);
}

/** Adds the counterexamples of a run to the folder and returns their files; those that are there already stay as they are. */
export function promote(results: Results, path: string | undefined): readonly string[] {
  const folder = path ?? VECTORS_FOLDER;
  const files: string[] = [];
  for (const { id, counterexample, reason, clauses, seed, replay } of results.checks) {
    if (counterexample === undefined) continue;
    // One case, one name: found again it is not a second file.
    const digest = createHash('sha256').update(JSON.stringify(counterexample)).digest('hex').slice(0, 8);
    const file = join(folder, `${id.replace(/^properties\./, '')}-${digest}.json`);
    const found = {
      ...(seed === undefined || replay === undefined ? {} : { seed, replay }),
      clauses,
      target: basename(results.target.name),
      proofmark: PROOFMARK_VERSION,
    };
    const about = reason?.split('. To repeat it:', 1)[0] ?? 'A counterexample.';
    mkdirSync(folder, { recursive: true });
    if (!existsSync(file))
      writeFileSync(file, `${JSON.stringify({ property: id, about, found, case: counterexample }, null, 2)}\n`);
    files.push(file);
  }
  return files;
}
