/**
 * A profile may have the key of a delivery provider only, or that of one store. The owners that it has take the place of the missing ones:
 * the same faults are found, and no correct service is blamed.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderFor, proofmark, resultsIn, startMock, writeProfile } from '../cli/common/command.fixture.ts';
import { deviationsById } from '../mock/deviations.ts';
import { type EditableProfile, runOnService } from './readings/run-service.ts';

const onlyProvider = (profile: EditableProfile): void => void delete profile.delivery.private;
const oneStore = (profile: EditableProfile): void => void delete profile.delivery.private.otherApiKey;

/** The checks of Delivery on the embedded service, which may have a fault, by verdict. */
async function idsByVerdict(edit: (profile: EditableProfile) => void, fault?: string) {
  const { results } = await runOnService(new Map(), {
    edit,
    wanted: (id) => id.startsWith('delivery.') && !id.includes('.countries.'),
    ...(fault === undefined ? {} : { fault: deviationsById([fault])[0]! }),
  });
  return Map.groupBy(results, ({ verdict }) => verdict);
}

test('the key of a provider is enough to judge methods, points, lists, uploads and credentials', async () => {
  const verdicts = await idsByVerdict(onlyProvider);
  assert.deepEqual([...verdicts.keys()].sort(), ['inconclusive', 'observed', 'pass']);
  const undecided = verdicts.get('inconclusive')!;
  for (const { id, reason } of undecided) assert.match(reason ?? '', /no "delivery\.private\.apiKey"/, id);
  const groups = new Set(undecided.map(({ id }) => id.split('.')[1]));
  assert.deepEqual([...groups].sort(), ['credentials', 'existing', 'lists', 'multilanguage', 'owner', 'settings']);
  assert.ok(verdicts.get('pass')!.length > 4 * undecided.length);
});

test('what is declared absent is not applicable then', async () => {
  const verdicts = await idsByVerdict((profile) => {
    onlyProvider(profile);
    profile.absent = ['delivery.private'];
  });
  assert.deepEqual([...verdicts.keys()].sort(), ['not-applicable', 'observed', 'pass']);
  const language = verdicts.get('not-applicable')!.find(({ id }) => id === 'delivery.multilanguage.string-accepted');
  assert.match(language?.reason ?? '', /needs a website, whose languages are known, but .* "delivery\.private" absent/);
});

for (const fault of [
  'keys.missing-served',
  'batch.accepts-101',
  'points.update-merges-attributes',
  'methods.deleted-by-pattern',
]) {
  test(`with the key of a provider only, a run finds ${fault}`, async () => {
    assert.ok((await idsByVerdict(onlyProvider, fault)).has('fail'));
  });
}

for (const fault of ['owners.any-method-read', 'owners.any-point-updated', 'owners.checked-for-first-handle-only']) {
  test(`without a second store, a run finds ${fault}`, async () => {
    assert.ok((await idsByVerdict(oneStore, fault)).has('fail'));
  });
}

test('without a second store, no check but those of its own methods is undecided', async () => {
  const verdicts = await idsByVerdict(oneStore);
  assert.deepEqual([...verdicts.keys()].sort(), ['inconclusive', 'observed', 'pass']);
  for (const { id } of verdicts.get('inconclusive')!) assert.match(id, /^delivery\.(credentials|lists)\.other-store/);
});

test('labels and checkouts of a provider are judged where no store has a key', async (t) => {
  const folder = folderFor(t);
  const mock = await startMock(t, folder, ['--fault', 'labels.signature-in-hex']);
  const written: EditableProfile = structuredClone(mock.json);
  onlyProvider(written);
  const profile = writeProfile(folder, 'provider.json', written);
  const out = join(folder, 'out');
  const only = ['labels.button.*', 'labels.request.posted*', 'labels.request.signature-*', 'checkout.*'];
  const selection = only.flatMap((ids) => ['--only', ids]);
  await proofmark(['run', '--target', profile, ...selection, '--out', out], { cwd: folder });
  const { checks } = resultsIn(out);
  assert.deepEqual(
    checks.filter(({ verdict }) => verdict !== 'pass').map(({ id, verdict }) => `${id} ${verdict}`),
    [
      'labels.request.signature-present fail',
      'labels.request.signature-correct inconclusive',
      'labels.request.signature-of-provider inconclusive',
      'checkout.request.observed observed',
    ],
  );
});
