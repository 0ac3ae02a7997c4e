/**
 * `npm run new -- check ID`: creates the stubs for a clause, its check, a fault that the check finds, and a test that runs the
 * check on the correct mock and on the broken one; for a check of an integrator, on the correct example and on a faulty one. The
 * stubs type-check; the test fails until they are filled in.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Stub } from './stub.ts';
import { stubsOf } from './stubs.ts';

const ROOT = join(import.meta.dirname, '../..');
const USAGE = 'Usage: npm run new -- check ID, where ID is a path such as delivery.batch.refuses-101-points';

/** Writes the stubs below `root`; returns what a person has to do next. Throws an Error, with one sentence, and then writes nothing. */
export function createCheck(id: string, root = ROOT): string[] {
  const { files, proof } = stubsOf(id, (file) => existsSync(join(root, file)));
  const taken = files.find(({ file, place }) => place === 'new file' && existsSync(join(root, file)));
  if (taken !== undefined) throw new Error(`${taken.file} exists already: choose another id, or edit that file.`);
  const snapshot = join(root, 'suites/ids.snapshot.txt');
  if (existsSync(snapshot) && readFileSync(snapshot, 'utf8').split('\n').includes(`check ${id}`))
    throw new Error(`The check ${id} exists already: choose another id.`);
  for (const stub of files) write(stub, root);
  return [
    ...files.map(({ file, next }) => `${file}: ${next}`),
    'npm run generate, and PROOFMARK_UPDATE_SNAPSHOT=1 npm test -- suites/ids: pin the new id',
    proof,
  ];
}

function write({ file, text, place }: Stub, root: string): void {
  const path = join(root, file);
  mkdirSync(dirname(path), { recursive: true });
  const before = place === 'new file' ? '' : readFileSync(path, 'utf8');
  const at = place === 'before the last line' ? before.trimEnd().lastIndexOf('\n') + 1 : before.length;
  writeFileSync(path, before.slice(0, at) + text + before.slice(at));
}

if (process.argv[1] === import.meta.filename) {
  const [kind, id, ...rest] = process.argv.slice(2);
  if (kind !== 'check' || id === undefined || rest.length > 0) {
    console.error(USAGE);
    process.exitCode = 2;
  } else {
    try {
      for (const line of createCheck(id)) console.log(line);
    } catch (error) {
      console.error(`proofmark: ${(error as Error).message}`);
      process.exitCode = 2;
    }
  }
}
