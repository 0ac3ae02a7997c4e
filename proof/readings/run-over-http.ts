/**
 * Runs checks on the service of one choice as `proofmark run` does for a user: over HTTP, in processes of its own, after the preflight,
 * and in a browser where they need one. In one process, other parts of a service than its interfaces are not seen.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { proofmark } from '../../cli/common/command.fixture.ts';
import type { CheckResult } from '../../contracts/run/events.ts';
import { serve } from '../../mock/http/serve.ts';
import { EVENTS_FILE } from '../../reports/files.ts';
import { type Choice, deviationsOf } from './reading.ts';
import { changesOf, profileFor, type ServiceRun } from './run-service.ts';

/** `only`: globs of check ids. Throws an Error with what the command says if it has run nothing. */
export async function runOverHttp(choice: Choice, only: readonly string[]): Promise<ServiceRun> {
  const served = await serve({ deviations: deviationsOf(choice), hints: false }, { port: 0 });
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-reading-'));
  try {
    const [target, out] = [join(folder, 'profile.json'), join(folder, 'out')];
    const profile = profileFor(served.service, choice);
    writeFileSync(target, JSON.stringify(profile));
    const changes = changesOf(served.service, (profile.reseller as { readonly domain?: string } | undefined)?.domain);
    const selection = only.flatMap((glob) => ['--only', glob]);
    const { code, stderr } = await proofmark(['run', '--target', target, '--runs', '0', '--out', out, ...selection]);
    if (code === 2) throw new Error(stderr);
    return { results: resultsIn(join(out, EVENTS_FILE)), ...changes() };
  } finally {
    await served.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const resultsIn = (events: string): CheckResult[] =>
  readFileSync(events, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as CheckResult | { readonly type: '' })
    .filter((event) => event.type === 'check');
