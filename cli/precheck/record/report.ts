/** The record and the reports of a precheck: the same files as those of `proofmark run`. */
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import type { CheckResult, PlannedCheck } from '../../../contracts/run/events.ts';
import { unreached } from '../../../contracts/run/interruption.ts';
import type { SpooledEvent } from '../../../harness/evidence/events/spool.ts';
import { EventWriter } from '../../../harness/evidence/events/writer.ts';
import { writePackage } from '../../../harness/evidence/package/write.ts';
import type { Redaction } from '../../../harness/evidence/redaction/index.ts';
import type { Redacted } from '../../../harness/evidence/redaction/redacted.ts';
import { CONTRACT_VERSION, PROOFMARK_VERSION } from '../../../harness/process/version.ts';
import { EVENTS_FILE } from '../../../reports/files.ts';
import type { Results } from '../../../reports/results/index.ts';
import { printSummary } from '../../../reports/terminal.ts';
import { removeReports, writeReports } from '../../../reports/write.ts';
import { makeOutFolder, outFolderOf } from '../../common/files/out-folder.ts';
import { newRunId } from '../../common/run-id.ts';
import { isAddress } from '../manifest.ts';
import { clausesInScope, type PrecheckScope } from '../scope.ts';

/** What is known when the checks are about to run. */
export interface PrecheckAbout {
  readonly title: string;
  readonly redaction: Redaction;
  /** Text of the manifest that is judged; its secrets are still in it. Undefined where there is none. */
  readonly manifest: string | undefined;
  /** What is judged, by what it is. */
  readonly addresses: Readonly<Record<string, string | undefined>>;
}

export interface PrecheckReportOptions {
  readonly scope: PrecheckScope;
  readonly out: string;
  /** What is judged: the title in the manifest. */
  readonly target: string;
  readonly plan: readonly PlannedCheck[];
  readonly only: readonly string[];
  readonly redaction: Redaction;
  /** Where the approval package goes, when one is wanted, and the manifest that goes into it. */
  readonly package: string | undefined;
  readonly manifest: string | undefined;
  /** File or address that the manifest came from. */
  readonly manifestSource: string | undefined;
  /** What is judged, by what it is: `install page`. */
  readonly addresses: Readonly<Record<string, string | undefined>>;
  /** The arguments that repeat this precheck. */
  readonly arguments: readonly string[];
}

/** What a precheck does to an integration, for the first screen of its report. */
const PERMISSIONS: Readonly<Record<PrecheckScope, readonly string[]>> = {
  app: ['load the app with authentic and forged requests', 'install it in the embedded service only'],
  delivery: ['post authentic and forged requests to the label page', 'change the embedded service only'],
};

export interface PrecheckEnd {
  readonly notices: readonly string[];
  readonly allowInconclusive: boolean;
  readonly interrupted?: string;
}

export interface PrecheckReport {
  emit(event: Redacted<SpooledEvent>): void;
  /** Writes the footer and every report, prints the summary, and returns the results. */
  finish(end: PrecheckEnd): Promise<Results>;
}

/** Begins the record of a precheck in `out`. */
export async function openReport(options: PrecheckReportOptions): Promise<PrecheckReport> {
  const { redaction } = options;
  const out = outFolderOf(options.out);
  makeOutFolder(out);
  await removeReports(out);
  const startedAt = new Date();
  const file = join(out, EVENTS_FILE);
  const events: EventWriter = new EventWriter(
    file,
    {
      type: 'header',
      proofmark: PROOFMARK_VERSION,
      contract: CONTRACT_VERSION,
      command: `precheck ${options.scope}`,
      run: newRunId(startedAt),
      target: { name: options.target, kind: options.scope, addresses: shownAddresses(options) },
      profile: {
        ...manifestOf(options),
        arguments: options.arguments.map((argument) => redaction.text(argument)),
        permissions: PERMISSIONS[options.scope],
      },
      party: 'integrator',
      startedAt: startedAt.toISOString(),
      seed: 1,
      selected: options.plan.map(({ id }) => id),
      ...(options.only.length === 0 ? {} : { onlyPattern: options.only.join(' ') }),
      node: process.version,
      plan: options.plan,
    },
    { redact: (value) => redaction.value(value) },
  );
  let requests = 0;
  return {
    emit(event) {
      if (event.type === 'exchange') requests += 1;
      events.append(event);
    },
    async finish(end) {
      events.merge(undefined, end.interrupted === undefined ? undefined : absentResult(options.plan, end.interrupted));
      events.close({
        type: 'footer',
        endedAt: new Date().toISOString(),
        durationMs: Date.now() - startedAt.getTime(),
        requests,
        ...(end.interrupted === undefined ? {} : { interrupted: end.interrupted }),
        allowInconclusive: end.allowInconclusive,
        notices: end.notices.map((notice) => redaction.text(notice)),
        timings: {},
      });
      const results = await writeReports(out, file, clausesInScope(options.scope), { isOwn: true });
      printSummary(results, { out: options.out });
      if (options.package !== undefined) {
        const { manifest } = options;
        await writePackage(out, options.package, manifest === undefined ? {} : { manifest: redaction.text(manifest) });
        console.log(`Package: ${options.package}`);
      }
      return results;
    },
  };
}

/** Addresses without their queries, which may hold private data. */
function shownAddresses({ addresses, redaction }: PrecheckReportOptions): Record<string, string> {
  return Object.fromEntries(
    Object.entries(addresses).flatMap(([name, address]) => {
      const url = address === undefined ? null : URL.parse(address);
      return url === null ? [] : [[name, redaction.text(url.origin + url.pathname)]];
    }),
  );
}

/** Name and digest of the manifest. The digest is of its text without the secret, which it would help to guess. */
function manifestOf(options: PrecheckReportOptions): { file: string; digest: string } | object {
  const { manifest, manifestSource, redaction } = options;
  if (manifest === undefined || manifestSource === undefined) return {};
  const file = redaction.text(
    isAddress(manifestSource) ? manifestSource.split(/[?#]/, 1)[0]! : basename(manifestSource),
  );
  return { file, digest: createHash('sha256').update(redaction.text(manifest)).digest('hex') };
}

/** The result of a check that was no longer reached. */
function absentResult(plan: readonly PlannedCheck[], interrupted: string): (id: string) => CheckResult | undefined {
  return (id) => {
    const planned = plan.find((one) => one.id === id);
    if (planned === undefined) return undefined;
    return {
      type: 'check',
      ...planned,
      ...unreached(interrupted),
      exchanges: [],
      startedAt: new Date().toISOString(),
      durationMs: 0,
    };
  };
}
