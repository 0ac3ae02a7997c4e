/** Judges the manifest of a package again, as far as its secrets are not needed for it. */
import { judgeAppManifest, judgeDeliveryManifest } from '../../contracts/manifests/index.ts';
import { type OpenPackage, PackageError } from '../../harness/evidence/package/read.ts';
import type { Contents } from './contents.ts';

/** Violations of the secret can't be judged again: it was redacted. */
const OF_SECRET = /^manifest\.secret/;

/** Throws a `PackageError` when a manifest breaks a rule and the results say that it breaks none. */
export function judgeManifest(opened: OpenPackage, { checks, results }: Contents): void {
  const { manifest } = opened;
  if (manifest === undefined) return;
  let value: unknown;
  try {
    value = JSON.parse(manifest);
  } catch {
    throw new PackageError('contains a manifest.json that is not JSON');
  }
  const isApp = results.command === 'precheck app';
  const judged = isApp ? judgeAppManifest(value) : judgeDeliveryManifest(value);
  const faults = judged.filter(({ rule, level }) => level === 'MUST' && !OF_SECRET.test(rule));
  const prefix = isApp ? 'app.manifest.' : 'provider.manifest.';
  const about = checks.filter(({ clauses }) => clauses.some((clause) => clause.startsWith(prefix)));
  if (about.length === 0 || results.onlyPattern !== undefined || results.interrupted !== undefined) return;
  const isBroken = about.some(({ verdict }) => verdict === 'fail' || verdict === 'inconclusive');
  const [first] = faults;
  if (first !== undefined && !isBroken) {
    throw new PackageError(
      `passes every rule of the manifest, but its manifest.json breaks one: ${first.pointer} (${first.rule})`,
    );
  }
}
