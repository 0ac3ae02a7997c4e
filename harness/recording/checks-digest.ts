/** What the checks of this Proofmark are made of, as one number: a recording is only replayed by the checks that made it. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
/** `.ts` in the checkout, `.js` in the package: a recording is replayed by the kind that made it. */
const EXTENSION = extname(import.meta.filename);
const ROOMS = ['contracts', 'harness', 'suites'];

/** SHA-256 over the sources of checks, harness and contract, without tests and without the integrators' part. */
export function checksDigest(): string {
  const hash = createHash('sha256');
  const files = ROOMS.flatMap((room) => globSync(`${room}/**/*${EXTENSION}`, { cwd: ROOT }))
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.(test|fixture)\.[tj]s$|\/integrator\/|^suites\/selftest\//.test(file))
    .sort();
  for (const file of files) {
    const text = readFileSync(join(ROOT, file), 'utf8').replaceAll('\r\n', '\n');
    hash.update(`${file}\0${text}\0`);
  }
  return hash.digest('hex');
}
