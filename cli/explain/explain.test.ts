import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProfile } from '../../harness/target/profile/index.ts';
import type { Profile } from '../../harness/target/profile/types.ts';
import { profileOf } from '../../mock/profile.ts';
import { createService } from '../../mock/service.ts';
import { CHECKS } from '../../suites/index.ts';
import { folderFor, proofmark, startMock, writeProfile } from '../common/command.fixture.ts';
import { propertySearchOn } from '../common/property-search.ts';
import { announcement } from './dry-run.ts';
import { estimateOf, estimateText, sentBy, tooShort } from './estimate.ts';
import { explain } from './index.ts';

const ID = 'delivery.settings.foreign-order';
const check = (id: string) => CHECKS.find((one) => one.id === id)!;

test('limits that end a run before its requests are sent are named', () => {
  const estimate = { requests: 380, unmeasured: [] };
  assert.match(
    tooShort(estimate, { requestsPerSecond: 1, maxMinutes: 1 }),
    /limits\.maxMinutes \(1\) ends the run before/,
  );
  assert.equal(tooShort(estimate, { requestsPerSecond: 1, maxMinutes: 7 }), '');
  assert.equal(tooShort(estimate, { requestsPerSecond: undefined, maxMinutes: 1 }), '');
});

test('a target that responds too slowly for the run is named before the checks, with the time that they take', () => {
  const estimate = { requests: 18_000, unmeasured: [] };
  const limits = { requestsPerSecond: undefined, maxMinutes: 30 };
  assert.match(
    tooShort(estimate, limits, { responseMs: 301.7, workers: 2 }),
    /^ Responses take 302 ms, so that it takes at least 45 min 15 s with 2 workers; .*\(30\).*--workers.*--runs/,
  );
  assert.equal(tooShort(estimate, limits, { responseMs: 301.7, workers: 4 }), '');
  const service = createService({ origin: 'http://127.0.0.1:4010' });
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'p.json', folder: '/', env: {} });
  service.close();
  const said = (responseMs: number | undefined): string =>
    announcement(profile, [ID], { runs: 0 }, { unusable: {}, responseMs, workers: 1 });
  assert.doesNotMatch(said(undefined), /Responses/);
  assert.doesNotMatch(said(100), /Responses/);
  assert.match(said(100_000), /^The run sends about 27 requests, .* Responses take 100000 ms, .* with 1 worker; /);
});

test('a check is explained by its sentence, what it sends, its faults, its place and its last result', () => {
  const text = explain(check(ID), '/nowhere').join('\n');
  assert.match(text, /Expected: MUST .*order of another provider/);
  assert.match(text, /MUST: An order of another provider .* \(Endpoints, A\. Delivery endpoints; /);
  assert.match(text, /2 × POST \/v1\/store\/delivery_provider_settings\//);
  assert.match(text, /settings\.foreign-order-served: A provider gets/);
  assert.match(text, /Source: suites\/delivery\/settings\.ts:\d+/);
  assert.match(text, /Last result: none, since \/nowhere\/results\.json does not exist/);
});

test('the measured table contains no removed check, and nearly all existing ones', () => {
  const measured = CHECKS.filter(({ id }) => sentBy(id) !== undefined);
  assert.ok(measured.length > CHECKS.length * 0.9, `${measured.length} of ${CHECKS.length}`);
});

test('an estimate is rounded to two digits, and leaves out properties where a run does not search', () => {
  const { requests } = estimateOf([ID], { runs: 0 });
  // 25 of them probe the profile before the checks.
  assert.equal(requests, 27);
  assert.deepEqual(estimateOf(['properties.delivery.whole-state', 'no.such-check'], { runs: 0 }), {
    requests: 25,
    unmeasured: ['no.such-check'],
  });
  assert.deepEqual(estimateOf([], { runs: 20 }), { requests: 0, unmeasured: [] });
  assert.equal(
    estimateText({ requests: 4279, unmeasured: [] }, 5),
    'about 4,300 requests, 14 min 20 s at 5 per second',
  );
});

test('an estimate counts what properties may send: less on a target that is elsewhere or has a rate limit', () => {
  const ids = CHECKS.map(({ id }) => id);
  const at = (v1: string, requestsPerSecond?: number) =>
    propertySearchOn({ v1, api: undefined, limits: { requestsPerSecond } as Profile['limits'] }, undefined);
  const free = estimateOf(ids, at('http://127.0.0.1:4010/v1/')).requests;
  const none = estimateOf(ids, { runs: 0 }).requests;
  const limited = estimateOf(ids, at('http://127.0.0.1:4010/v1/', 5)).requests;
  assert.equal(estimateOf(ids, at('https://staging.example/v1/')).requests, limited);
  // Twelve properties with 60 requests each and their clean-up: a run with this limit sent 866.
  assert.ok(limited - none > 700 && limited - none < 1_000, `${limited - none} requests of properties`);
  assert.ok(free - none > 5 * (limited - none), `${free - none} requests without a limit`);
  assert.equal(estimateOf(ids, propertySearchOn({ limits: {} } as Profile, 40)).requests - none, 2 * (free - none));
});

test('the command names the nearest id, and a dry run sends nothing', async (t) => {
  const folder = folderFor(t);
  const unknown = await proofmark(['explain', 'delivery.settings.foreign-ordr'], { cwd: folder });
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /the nearest known one is "delivery\.settings\.foreign-order"/);
  const mock = await startMock(t, folder, ['--port', '0']);
  // Nothing listens there: whatever is sent would fail.
  const json = { ...mock.json, v1: 'http://127.0.0.1:9/v1/', limits: { requestsPerSecond: 5 }, allow: [] };
  const profile = writeProfile(folder, 'p.json', json);
  const dry = await proofmark(['run', '--dry-run', '--target', profile, '--only', 'delivery.*'], { cwd: folder });
  assert.equal(dry.code, 0, dry.stderr);
  assert.match(dry.stdout, /sends: .*2 × POST \/v1\/store\/delivery_provider_settings\//);
  assert.match(dry.stdout, /not run, inconclusive: "allow" in the profile does not contain "write"/);
  const limited = ['--only', 'properties.lists.walks', '--target'];
  const writes = writeProfile(folder, 'w.json', { ...json, allow: ['write'] });
  const search = await proofmark(['run', '--dry-run', ...limited, writes], { cwd: folder });
  assert.match(search.stdout, /sends: about 72 requests, because the target is elsewhere or limits them/);
  assert.match(dry.stdout, /checks would run: about [\d,]+ requests, [\d.]+ .* at 5 per second/);
  const changing = writeProfile(folder, 'q.json', { ...json, limits: {}, allow: ['settings'] });
  const only = ['--only', 'properties.reseller.model', '--target'];
  const sequences = await proofmark(['run', '--dry-run', ...only, changing], { cwd: folder });
  assert.match(sequences.stdout, /changes: settings of the reseller account, put back$/m);
});
