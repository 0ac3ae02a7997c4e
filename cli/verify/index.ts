/** `proofmark verify`: checks whether the parts of an approval package are consistent. It does not check who made the package. */

import { closeSync, openSync, readSync } from 'node:fs';
import { EXIT } from '../../contracts/run/verdicts.ts';
import { type OpenPackage, openPackage, PackageError } from '../../harness/evidence/package/read.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { CONTRACT_VERSION, PROOFMARK_VERSION } from '../../harness/process/version.ts';
import type { Results } from '../../reports/results/index.ts';
import { statOf } from '../common/files/stat-of.ts';
import { flagsOf } from '../common/flags.ts';
import { KEYS_HELP, readKeys } from '../judge/keys.ts';
import { judgeContents } from './contents.ts';
import { partsOf } from './definitions.ts';
import { judgeManifest } from './manifest.ts';
import { type Rejudged, rejudge } from './rejudge.ts';

const HELP = `Usage: proofmark verify FILE.zip [--keys FILE]

Checks whether an approval package (--package of run and precheck) is consistent: its parts have the listed digests, its
results and its report follow from its events, and no exchange contradicts a verdict. It does not show who
made the package, or that its exchanges ever took place.

${KEYS_HELP}.
                         Without it the clauses about signatures are inconclusive

Exit codes: 0 consistent, 1 refused, 2 usage or a file that can't be read, 3 made by another version, 4 an error of Proofmark.`;

/** `proofmark verify FILE.zip`. Returns the exit code; throws a UsageError for wrong options. */
export async function verifyCommand(argv: string[]): Promise<number> {
  const { values, positionals } = flagsOf(
    'verify',
    argv,
    { keys: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
    1,
  );
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const [file] = positionals;
  if (file === undefined) throw new UsageError('proofmark verify needs a package: give the FILE.zip of --package.');
  const keys = readKeys(values.keys);
  checkIsZip(file);
  let opened: OpenPackage | undefined;
  try {
    opened = await openPackage(file);
    return await verify(file, opened, keys);
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
    console.log(`REFUSED  ${file} ${error.message}.`);
    return EXIT.failed;
  } finally {
    opened?.close();
  }
}

function checkIsZip(file: string): void {
  const stat = statOf(file, 'give the FILE.zip of --package');
  if (stat === undefined) throw new UsageError(`There is no file ${file}: give the FILE.zip of --package.`);
  if (!stat.isFile()) throw new UsageError(`${file} is not a file: give the FILE.zip of --package.`);
  const fd = openSync(file, 'r');
  try {
    const start = Buffer.alloc(2);
    readSync(fd, start, 0, 2, 0);
    if (start.toString('latin1') !== 'PK')
      throw new UsageError(`${file} is not a zip file: give the FILE.zip of --package.`);
  } finally {
    closeSync(fd);
  }
}

async function verify(file: string, opened: OpenPackage, keys: Readonly<Record<string, string>>): Promise<number> {
  const { info } = opened;
  if (info.contract !== CONTRACT_VERSION || info.proofmark !== PROOFMARK_VERSION) {
    console.log(
      `INCONCLUSIVE  ${file} was made by Proofmark ${info.proofmark} for the contract ${info.contract}; this is ${PROOFMARK_VERSION} for ${CONTRACT_VERSION}: verify it with that version.`,
    );
    return EXIT.inconclusive;
  }
  const parts = await partsOf(info.command);
  if (parts === undefined)
    throw new PackageError(`contains a run of the command ${JSON.stringify(info.command)}, which writes no packages`);
  const contents = await judgeContents(opened, parts);
  judgeManifest(opened, contents);
  const rejudged = await rejudge(opened, contents, keys);
  const isPrivate = info.command === 'precheck delivery' && opened.manifest === undefined;
  console.log(summaryOf(file, contents.results, rejudged, { hasKeys: Object.keys(keys).length > 0, isPrivate }));
  return EXIT.conformant;
}

function summaryOf(
  file: string,
  results: Results,
  { verdicts, withoutKeys, supported, asNamed }: Rejudged,
  { hasKeys, isPrivate }: { readonly hasKeys: boolean; readonly isPrivate: boolean },
): string {
  const again = [...verdicts.clauses.values()].filter(({ verdict }) => verdict !== 'inconclusive').length;
  const undecided =
    withoutKeys.length === 0
      ? []
      : [`Inconclusive${hasKeys ? ' with these keys' : ' without --keys'}: ${withoutKeys.join(', ')}.`];
  return [
    `CONSISTENT  ${file}: its parts are consistent, and no exchange contradicts a verdict.`,
    `It contains a run of proofmark ${results.command} on ${JSON.stringify(results.target.name)}, started ${results.startedAt}: ${results.outcome} (exit ${results.exitCode}).`,
    `${verdicts.exchanges} exchanges were judged again, for ${again} clauses. Of the checks with a verdict, ${supported} were confirmed by an exchange and contradicted by none; ${asNamed} depend on comparing responses, on pages or on waiting: no exchange contradicts them, and none can prove them.`,
    ...(isPrivate ? ['It has no manifest: the integration was judged as a private one, of a single store.'] : []),
    'The package does not show who made it, or whether the exchanges took place.',
    ...undecided,
  ].join('\n');
}
