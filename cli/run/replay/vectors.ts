/**
 * Cases of properties that are kept in files: those that come with Proofmark and those of the user's own folder. Every run
 * tries them first; `promote.ts` adds the counterexamples of a run to the folder.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { UsageError } from '../../../harness/process/usage-error.ts';
import type { PropertyVector } from '../../../harness/resources/run-info.ts';
import { parseJson, readFileOf } from '../../common/files/read-file.ts';
import { VECTORS_FOLDER } from './promote.ts';

const OWN = fileURLToPath(new URL('../../../suites/properties/vectors/', import.meta.url));
const SCHEMA = 'vectors.schema.json';

/** The cases that come with Proofmark, in a folder for each interface. */
export const ownVectors = (): readonly PropertyVector[] =>
  readdirSync(OWN, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? vectorsAt(join(OWN, entry.name)) : [],
  );

/** The cases of a folder or of a file; of the default folder none where it is not there. Throws a UsageError that names the file. */
export function userVectors(path: string | undefined, mayBeMade = false): readonly PropertyVector[] {
  if (path !== undefined && !mayBeMade && !existsSync(path))
    throw new UsageError(`--vectors ${path} does not exist: name a folder of cases, or one of them.`);
  return existsSync(path ?? VECTORS_FOLDER) ? vectorsAt(path ?? VECTORS_FOLDER) : [];
}

function vectorsAt(path: string): PropertyVector[] {
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => name.endsWith('.json'))
        .sort()
        .map((name) => join(path, name))
    : [path];
  if (files.length === 0) return [];
  const validate = new Ajv2020({ strict: false, validateSchema: false }).compile(
    JSON.parse(readFileSync(join(OWN, SCHEMA), 'utf8')),
  );
  return files.map((file) => {
    const json = parseJson(readFileOf(file, '--vectors'), file, 'correct it or delete it');
    if (!validate(json)) {
      const [fault] = validate.errors ?? [];
      const where = fault?.instancePath === '' ? 'it' : fault?.instancePath;
      throw new UsageError(`${file} is not a case of a property: ${where} ${fault?.message}. Correct it or delete it.`);
    }
    const { property, case: one } = json as Pick<PropertyVector, 'property' | 'case'>;
    return { property, file, case: one };
  });
}
