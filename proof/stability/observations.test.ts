/** An observation that never differs says nothing: each has to differ between two correct services. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findBrowser } from '../../cli/common/browser.ts';
import { folderFor, proofmark, resultsIn } from '../../cli/common/command.fixture.ts';
import type { Check } from '../../harness/check/check.ts';
import { runInProcess, runsInProcess } from '../../harness/runner/in-process.ts';
import { parseProfile } from '../../harness/target/profile/index.ts';
import { variants } from '../../mock/deviations.ts';
import { profileOf } from '../../mock/profile.ts';
import { createService } from '../../mock/service.ts';
import { CHECKS, SUITES } from '../../suites/index.ts';
import { startIndependentService } from '../independent/service.ts';
import { wireToService } from '../service-wire.ts';

const observing = CHECKS.filter((check) => (check.observations ?? []).length > 0);
const idsOf = (inProcess: boolean): string[] => [
  ...new Set(
    observing.filter((check) => runsInProcess(check) === inProcess).flatMap((check) => check.observations ?? []),
  ),
];
const browser = await findBrowser();
/** No browser repeats a form post by itself, so none of these services sends a label request twice. */
const ALIKE_SO_FAR: readonly string[] = ['labels.request.retries'];

class Seen {
  readonly #values = new Map<string, Set<string>>();
  add(id: string, seen: unknown): void {
    this.#values.set(id, (this.#values.get(id) ?? new Set()).add(JSON.stringify(seen)));
  }
  /** Ids of observations with fewer than two different values. */
  alike(ids: readonly string[]): string[] {
    return ids.filter((id) => (this.#values.get(id)?.size ?? 0) < 2);
  }
  /** Whether a check still has an observation with fewer than two different values. */
  needs({ observations = [] }: Pick<Check, 'observations'>): boolean {
    return this.alike(observations).length > 0;
  }
}

// The matrix (`proof/matrix/`) proves that no correct service and no variant is blamed for an observation.
test('every observation of the interfaces differs between two correct services', async () => {
  const seen = new Seen();
  const wanted = (check: Check): boolean => observing.includes(check) && seen.needs(check);
  const second = await startIndependentService({});
  try {
    const profile = parseProfile(JSON.stringify(second.profile), { file: 'second', folder: '.', env: second.env });
    const onObservation = (event: { id: string; seen: unknown }) => seen.add(event.id, event.seen);
    await runInProcess(SUITES, { profile, onObservation }, wanted);
  } finally {
    await second.close();
  }
  for (const variant of [undefined, ...variants]) {
    const service = createService({
      origin: 'http://127.0.0.1:4999',
      ...(variant === undefined ? {} : { deviations: [variant] }),
    });
    const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: '.', env: {} });
    await runInProcess(
      SUITES,
      {
        profile,
        wire: wireToService(service),
        instantPauses: true,
        onObservation: (event) => seen.add(event.id, event.seen),
      },
      // The observation about Retry-After needs many requests.
      (check) => wanted(check) || (variant?.id.startsWith('throttle.') === true && observing.includes(check)),
    );
    service.close();
  }
  assert.deepEqual(seen.alike(idsOf(true)), []);
});

/** Variants that show in a browser, combined so that few runs are needed. */
const IN_BROWSER = [
  'mock:variant=labels.custom-fields,labels.one-callback-per-request,labels.error-callback-signed,install.hash-first',
  'mock:variant=labels.additional-fields,labels.multipart,labels.seller-country-lower-case,labels.callback-as-described,install.parameter-order,install.additional-parameters',
  'mock:variant=install.one-at-a-time,install.addresses-looked-at',
  'mock:variant=install.same-code-again',
];

/** Each run drives a browser through all pages, and what they observe is changed less often than anything else. */
const SKIPPED = ((): string | false => {
  if (process.env.PROOFMARK_SOAK !== '1') return 'with PROOFMARK_SOAK=1';
  return browser === undefined ? 'no browser here: npm run setup installs one' : false;
})();

test('every observation of the pages differs between two correct services', { skip: SKIPPED }, async (t) => {
  const folder = folderFor(t);
  const seen = new Seen();
  const second = await startIndependentService({});
  t.after(() => second.close());
  const profile = join(folder, 'second.json');
  writeFileSync(profile, JSON.stringify(second.profile));
  const inBrowser = observing.filter((check) => !runsInProcess(check));
  for (const target of [profile, ...IN_BROWSER]) {
    const only = inBrowser.filter((check) => seen.needs(check)).flatMap((check) => ['--only', check.id]);
    if (only.length === 0) break;
    const ran = await proofmark(['run', '--target', target, '--out', folder, '--allow-inconclusive', ...only], {
      env: second.env,
    });
    assert.notEqual(ran.code, 1, ran.stdout);
    for (const observation of resultsIn(folder).observations) seen.add(observation.id, observation.seen);
  }
  assert.deepEqual(seen.alike(idsOf(false)), ALIKE_SO_FAR);
});
