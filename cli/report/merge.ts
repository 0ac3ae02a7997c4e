/** `proofmark report --merge DIR…`: the parts of a run that several machines made, as one run. */

import { join, resolve } from 'node:path';
import { CLAUSES } from '../../contracts/clauses/index.ts';
import type { RunFooter, RunHeader } from '../../contracts/run/events.ts';
import { EventWriter } from '../../harness/evidence/events/writer.ts';
import { asRedacted } from '../../harness/evidence/redaction/redacted.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { PROOFMARK_VERSION } from '../../harness/process/version.ts';
import { footerOfAll, headerOfAll, joinShards, renumbered, type ShardRun } from '../../reports/events/merge.ts';
import { EventsError, readEvents } from '../../reports/events/read.ts';
import { EVENTS_FILE } from '../../reports/files.ts';
import type { Results } from '../../reports/results/index.ts';
import { removeReports, writeReports } from '../../reports/write.ts';
import { CHECKS } from '../../suites/index.ts';
import { outFolderOf } from '../common/files/out-folder.ts';
import { statOf } from '../common/files/stat-of.ts';
import { selectIds } from '../run/options.ts';
import { claimFolder } from '../run/out-folder.ts';
import { copyTrace } from './copy-trace.ts';

/** Writes the events and reports of the whole run into `out`. Throws a UsageError when the folders are not all parts of one run. */
export async function mergeShards(folders: readonly string[], out: string): Promise<Results> {
  if (folders.some((folder) => resolve(folder) === resolve(out)))
    throw new UsageError(`${out} is one of the parts: give another folder with --out.`);
  try {
    return await merge(folders, out);
  } catch (error) {
    if (error instanceof EventsError) throw new UsageError(error.message);
    throw error;
  }
}

async function merge(folders: readonly string[], out: string): Promise<Results> {
  const parts = joinShards(await Promise.all(folders.map(partIn)));
  assertWhole(parts);
  const release = claimFolder(outFolderOf(out));
  try {
    await removeReports(out);
    const file = join(out, EVENTS_FILE);
    const header = headerOfAll(
      parts,
      CHECKS.map(({ id }) => id),
    );
    // The parts were redacted when they were written.
    const events = new EventWriter(file, header, { redact: (value) => value });
    for (const [at, { folder }] of parts.entries()) {
      for await (const event of readEvents(join(folder, EVENTS_FILE)))
        if (event.type !== 'header' && event.type !== 'footer') {
          events.append(asRedacted(renumbered(event, at + 1)));
          copyTrace(event, folder, out);
        }
    }
    events.close(footerOfAll(parts));
    return await writeReports(out, file, CLAUSES);
  } finally {
    release();
  }
}

async function partIn(folder: string): Promise<ShardRun> {
  const file = join(folder, EVENTS_FILE);
  const correct = 'give the folders that `proofmark run --shard N/M --out` wrote';
  if (statOf(file, correct) === undefined) throw new UsageError(`There is no ${file}: ${correct}.`);
  let header: RunHeader | undefined;
  let footer: RunFooter | undefined;
  for await (const event of readEvents(file)) {
    if (event.type === 'header') header = event;
    if (event.type === 'footer') footer = event;
  }
  if (header === undefined) throw new EventsError(`${file} has no header: run this part again.`);
  return { folder, header, ...(footer === undefined ? {} : { footer }) };
}

/** What the parts hold is what was asked for: the clauses are judged by this version's list of checks. */
function assertWhole(parts: readonly ShardRun[]): void {
  const [first] = parts;
  const { proofmark, shard } = first!.header;
  if (proofmark !== PROOFMARK_VERSION)
    throw new UsageError(
      `The parts were made by Proofmark ${proofmark} and this is ${PROOFMARK_VERSION}: merge them with the version that made them.`,
    );
  if (shard?.tests !== undefined) return;
  const held = new Set(parts.flatMap(({ header }) => header.selected));
  const asked = selectIds(
    'run',
    CHECKS.map(({ id }) => id),
    shard?.only?.split(' ') ?? [],
  );
  const lost = asked.find((id) => !held.has(id));
  if (lost !== undefined)
    throw new UsageError(
      `No part contains the check ${lost}: the parts were made with different selections or versions.`,
    );
}
