// What the models alone find: faults of the embedded service whose clauses they prove, and faults of several steps that no
// check lists, without the help of the other checks. A few here; all of them, with the figures, under PROOFMARK_SOAK=1.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckResult } from '../../contracts/run/events.ts';
import { runInProcess } from '../../harness/runner/in-process.ts';
import { parseProfile } from '../../harness/target/profile/index.ts';
import { faults } from '../../mock/deviations.ts';
import { intercepts, PATHS, success } from '../../mock/faults/interception.ts';
import { profileOf } from '../../mock/profile.ts';
import { createService } from '../../mock/service.ts';
import type { Deviation } from '../../mock/types/deviation.ts';
import { SUITES } from '../index.ts';
import { PROPERTY_SUITES } from './index.ts';
import { countedWire } from './steps/counted-wire.fixture.ts';

const SOAK = process.env.PROOFMARK_SOAK === '1';
/** As many as a run on the embedded service makes; some more where there is a night for it. */
const RUNS = SOAK ? 60 : 20;
const PROPERTIES = PROPERTY_SUITES.flatMap(({ checks }) => checks);

/** Runs the properties that prove one of the clauses; a fault of several steps is for the models. */
async function sought(deviation: Deviation, clauses?: readonly string[]) {
  const service = createService({ origin: 'http://127.0.0.1:9', deviations: [deviation] });
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: '.', env: {} });
  const { wire, requests } = countedWire(service);
  const wanted = PROPERTIES.filter((one) =>
    clauses === undefined ? one.id.endsWith('.model') : one.clauses.some((clause) => clauses.includes(clause)),
  ).map(({ id }) => id);
  // The other checks say what a failure rests on, and find nothing by themselves.
  const options = { profile, wire, propertyRuns: RUNS, instantPauses: true };
  const results = await runInProcess(SUITES, options, ({ id }) => wanted.includes(id));
  return { failed: results.filter(({ verdict }) => verdict === 'fail'), requests: requests() };
}

const declared = ({ clause, clauses = [] }: Deviation): string[] => [
  ...(clause === undefined ? [] : [clause]),
  ...clauses,
];
const proved = new Set(PROPERTIES.flatMap(({ clauses }) => clauses));
const within = faults.filter((fault) => fault.surface !== 'browser' && declared(fault).some((one) => proved.has(one)));

/** Those that short sequences find: one of each kind. */
const FEW = [
  'handles.add-to-first-only',
  'owners.checked-for-first-handle-only',
  'points.zip-loses-leading-zeros',
  'methods.update-of-one-country-list-clears-other',
  'reseller.domain-listed-twice',
  'apps.data-shared',
];

const shortest = ({ expected }: CheckResult): string => JSON.stringify((expected as { with?: unknown }).with ?? null);

test('properties alone find faults of one clause, under that clause', async (t) => {
  const chosen = SOAK ? within : within.filter(({ id }) => FEW.includes(id));
  if (!SOAK) assert.equal(chosen.length, FEW.length);
  let found = 0;
  let requests = 0;
  for (const fault of chosen) {
    const search = await sought(fault, declared(fault));
    requests += search.requests;
    if (search.failed.length > 0) found += 1;
    for (const { id, clauses, reason } of search.failed)
      for (const clause of clauses)
        assert.ok(declared(fault).includes(clause), `${fault.id}: ${id} blames ${clause}: ${reason}`);
    if (FEW.includes(fault.id)) assert.ok(search.failed.length > 0, fault.id);
  }
  t.diagnostic(`properties alone: ${found} of ${chosen.length} faults of their clauses found, ${requests} requests`);
});

/** Handles that a path names. */
const handlesIn = (parts: readonly string[]): string[] => (parts[0] ?? '').split(',');

/** Faults of several steps, each with what it keeps between calls. */
type SeveralSteps = readonly [about: string, forSoak: boolean, make: () => NonNullable<Deviation['http']>];
const STEPS: readonly SeveralSteps[] = [
  [
    'a point that was changed can not be deleted',
    false,
    () => {
      const changed = new Set<string>();
      return intercepts('*', PATHS.point, async ({ request, parts, pass }) => {
        const points = handlesIn(parts).map((handle) => `${handle}/${parts[1]}`);
        if (request.method === 'PUT') for (const one of points) changed.add(one);
        return request.method === 'DELETE' && points.some((one) => changed.has(one)) ? success() : pass();
      });
    },
  ],
  [
    'a list for one country empties that country in the methods that are not named',
    false,
    () =>
      intercepts('POST', PATHS.batch, async ({ body, parts, pass, service }) => {
        const response = await pass();
        const others = service.state.methods.all().filter(({ handle }) => !handlesIn(parts).includes(handle));
        if (response.ok && body?.country !== undefined)
          service.change(() => {
            for (const { handle } of others) {
              const list = service.state.points.of(handle);
              for (const { id, country } of list.all()) if (country === body.country) list.remove(id);
            }
          });
        return response;
      }),
  ],
  [
    'a delete under three handles leaves the point in the middle one',
    true,
    () =>
      intercepts('DELETE', PATHS.point, async ({ parts, pass }) => {
        const [first, , last, ...more] = handlesIn(parts);
        if (last === undefined || more.length > 0) return pass();
        return pass({
          path: `/v1/store/delivery_method/${first},${last}/pickup_point/${encodeURIComponent(parts[1]!)}/`,
        });
      }),
  ],
  [
    'a point reads as it was read first, until its list is asked for',
    true,
    () => {
      const read = new Map<string, string>();
      return async (request, next) => {
        const { pathname } = new URL(request.url);
        const [, handle] = PATHS.points.exec(pathname) ?? [];
        for (const path of read.keys()) if (handle !== undefined && path.includes(`/${handle}/`)) read.delete(path);
        if (request.method !== 'GET' || !PATHS.point.test(pathname)) return next(request);
        const former = read.get(pathname);
        if (former !== undefined) return new Response(former, { headers: { 'content-type': 'application/json' } });
        const response = await next(request);
        if (response.ok) read.set(pathname, await response.clone().text());
        return response;
      };
    },
  ],
  [
    'the title of the method that was changed before comes with a change of another',
    false,
    () => {
      let before: { handle: string; title: unknown } | undefined;
      return intercepts('PUT', PATHS.method, async ({ body, parts, pass }) => {
        const fields = body?.delivery_method as Record<string, unknown> | undefined;
        const leaked = before !== undefined && before.handle !== parts[0] && fields?.title === undefined;
        const title = before?.title;
        if (fields?.title !== undefined) before = { handle: parts[0]!, title: fields.title };
        return leaked ? pass({ body: { delivery_method: { ...fields, title } } }) : pass();
      });
    },
  ],
  ...['cut at 30 characters', 'without leading digits'].map(
    (how): SeveralSteps => [
      `long names of domains are stored ${how}`,
      false,
      () => async (request, next) => {
        const response = await next(request);
        if (!new URL(request.url).pathname.endsWith('/domains/') || !response.ok) return response;
        const { domains, ...body } = (await response.json()) as { domains: { domain: string }[] };
        const stored = (name: string) => (how.startsWith('cut') ? name.slice(0, 30) : name.replace(/^\d+-?/, ''));
        return Response.json({ ...body, domains: domains.map((one) => ({ ...one, domain: stored(one.domain) })) });
      },
    ],
  ),
  [
    'the third setting of an installation’s data is lost',
    false,
    () => {
      const sets = new Map<string, number>();
      return intercepts('POST', /^\/v1\/apps\/set_data\/$/, async ({ request, pass }) => {
        const code = new URL(request.url).searchParams.get('authCode') ?? '';
        sets.set(code, (sets.get(code) ?? 0) + 1);
        return sets.get(code)! % 3 === 0 ? success() : pass();
      });
    },
  ],
];

test('models alone find faults that take several steps', async (t) => {
  const chosen = STEPS.filter(([, forSoak]) => SOAK || !forSoak);
  let requests = 0;
  let found = 0;
  for (const [about, forSoak, make] of chosen) {
    const search = await sought({ id: 'power.of-steps', about, http: make() });
    requests += search.requests;
    if (search.failed.length > 0) found += 1;
    else assert.ok(forSoak, `not found: ${about}`);
    for (const one of search.failed) t.diagnostic(`${about}: ${shortest(one)}`);
  }
  t.diagnostic(`models alone: ${found} of ${chosen.length} faults of several steps found, ${requests} requests`);
});
