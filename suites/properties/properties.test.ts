// The properties tried: the embedded service and the independent one keep them, and a seeded deviation breaks the one that
// is about it, with the shortest case, under its clause, and again when it is repeated.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CheckResult } from '../../contracts/run/events.ts';
import type { Check } from '../../harness/check/check.ts';
import { type InProcessOptions, runInProcess } from '../../harness/runner/in-process.ts';
import { parseProfile } from '../../harness/target/profile/index.ts';
import type { Profile } from '../../harness/target/profile/types.ts';
import { variants } from '../../mock/deviations.ts';
import { profileOf } from '../../mock/profile.ts';
import { createService } from '../../mock/service.ts';
import type { Reseller } from '../../mock/state/state.ts';
import type { Deviation } from '../../mock/types/deviation.ts';
import type { MockService } from '../../mock/types/service.ts';
import { startIndependentService } from '../../proof/independent/service.ts';
import { wireToService } from '../../proof/service-wire.ts';
import { PROPERTY_SUITES } from './index.ts';
import { countedWire } from './steps/counted-wire.fixture.ts';

const ORIGIN = 'http://127.0.0.1:9';
const IS_SOAK = process.env.PROOFMARK_SOAK === '1';
const RUNS = 20;
/** Where the usual number was tried before. */
const FEW_RUNS = IS_SOAK ? 6 : 3;
/** What all properties together may cost with the default number of runs: a promise to those who wait for a run. */
const MAX_REQUESTS = 10_000;

const profileFrom = (json: unknown, env: Readonly<Record<string, string>> = {}): Profile =>
  parseProfile(JSON.stringify(json), { file: 'profile of the test', folder: '.', env });

function mock(...deviations: readonly Deviation[]): { service: MockService; options: InProcessOptions } {
  const service = createService({ origin: ORIGIN, deviations });
  const options = {
    profile: profileFrom(profileOf(service)),
    wire: wireToService(service),
    propertyRuns: RUNS,
    instantPauses: true,
  };
  return { service, options };
}

const runAll = (options: InProcessOptions, id?: string): Promise<CheckResult[]> =>
  runInProcess(PROPERTY_SUITES, options, (check) => id === undefined || check.id === id);

const verdicts = (results: readonly CheckResult[]): string[] =>
  results.map(({ id, verdict, reason = '' }) => `${id} ${verdict} ${reason}`.trim());

const ALL = PROPERTY_SUITES.flatMap(({ checks }) => checks);
const passOf = (properties: readonly Check[]): string[] => properties.map(({ id }) => `${id} pass`);
const ALL_PASS = passOf(ALL);

const ON_DELIVERY = ALL.filter(({ needs }) => needs.some((need) => need.startsWith('delivery.')));
const runOnDelivery = (options: InProcessOptions): Promise<CheckResult[]> =>
  runInProcess(PROPERTY_SUITES, options, (check) => ON_DELIVERY.includes(check));

describe('on a service that keeps the contract', () => {
  test('all hold, within their requests, and nothing is left behind', async () => {
    const { service, options } = mock();
    const { wire, requests } = countedWire(service);
    const kept = () => {
      const { methods, points, installations, domains, resellers, websites } = service.state;
      return {
        methods: methods.all(),
        points: points.handles(),
        data: installations.all().map(({ data }) => data ?? ''),
        domains: domains.all().map(({ domain }) => domain),
        settings: resellers.all().map(({ settings }) => settings),
        websites: websites.all().map(({ status, premium }) => [status, premium]),
      };
    };
    const before = kept();
    assert.deepEqual(verdicts(await runAll({ ...options, wire })), ALL_PASS);
    assert.deepEqual(kept(), before);
    assert.ok(requests() <= MAX_REQUESTS, `${requests()} requests`);
  });

  test('all decide with one case each, whatever that is', async () => {
    // Among them a list as the last data of an app, and a case of one call to be repeated before there is any.
    for (const seed of IS_SOAK ? [7, 11, 32, 93, 122, 1002] : [7, 122])
      assert.deepEqual(verdicts(await runAll({ ...mock().options, seed, propertyRuns: 1 })), ALL_PASS, `seed ${seed}`);
  });

  test('all hold under another seed, and those on Delivery on variants that choose otherwise there', async () => {
    assert.deepEqual(verdicts(await runAll({ ...mock().options, seed: 2, propertyRuns: FEW_RUNS })), ALL_PASS);
    const chosen = ['points.duplicate-replaced', 'handles.unknown-partial', 'texts.object-replaces', 'pages.at-most-3'];
    for (const id of [...chosen, 'create.silent', 'upload.old-list-hidden', 'site.one-language-strings']) {
      const variant = variants.find((one) => one.id === id);
      assert.ok(variant, id);
      const isEverywhere = id.startsWith('site.');
      const options = { ...mock(variant).options, propertyRuns: IS_SOAK ? 3 : 2 };
      const results = await (isEverywhere ? runAll(options) : runOnDelivery(options));
      assert.deepEqual(verdicts(results), isEverywhere ? ALL_PASS : passOf(ON_DELIVERY), id);
    }
  });

  test('all hold on the independent service', async () => {
    const second = await startIndependentService();
    try {
      const profile = profileFrom(second.profile, second.env);
      assert.deepEqual(verdicts(await runAll({ profile, propertyRuns: 3 })), ALL_PASS);
    } finally {
      await second.close();
    }
  });

  test('those on Delivery do without a second store', async () => {
    const { service, options } = mock();
    const { delivery, apps: _, ...rest } = profileOf(service) as { delivery: { private: object }; apps: unknown };
    const { otherApiKey: __, ...own } = delivery.private as { otherApiKey: string };
    const profile = profileFrom({ ...rest, delivery: { private: own } });
    const results = await runOnDelivery({ ...options, profile, propertyRuns: FEW_RUNS });
    assert.deepEqual(verdicts(results), passOf(ON_DELIVERY));
    assert.ok(results.length > 5);
  });

  test('none is run where requests are limited', async () => {
    const results = await runAll({ ...mock().options, propertyRuns: 0 });
    assert.ok(results.every(({ verdict, exchanges }) => verdict === 'not-applicable' && exchanges.length === 0));
  });

  test('a gateway that answers each create leaves the property of texts undecided', async () => {
    const { service, options } = mock();
    const { wire: _, ...others } = options;
    const transport = async (request: Request): Promise<Response> =>
      request.method === 'POST' && /\/delivery_method\/$/.test(request.url)
        ? new Response('<h1>Gateway Time-out</h1>', { status: 504 })
        : service.fetch(request);
    const reasons: string[] = [];
    for (const seed of [1, 2, 3]) {
      const few = { ...others, transport, propertyRuns: 1, seed };
      const [result] = await runAll(few, 'properties.multilanguage.texts');
      assert.equal(result?.verdict, 'inconclusive', `seed ${seed}: ${result?.reason}`);
      reasons.push(result.reason ?? '');
    }
    assert.match(reasons.join('\n'), /a gateway answered in place of the target/);
  });
});

/** Handles of methods of which a point was deleted before. */
const thinned = new Set<string>();

/** Accounts as they were before settings were set. */
const former = new Map<number, Reseller>();
/** Domains that were removed before. */
const removed = new Set<string>();

interface Seeded {
  readonly deviation: Deviation;
  readonly property: string;
  readonly clause: string;
  /** The shortest case: its steps, or the beginning of the only one. */
  readonly steps: RegExp;
}

const SEEDED: readonly Seeded[] = [
  {
    deviation: {
      id: 'seeded.second-delete',
      about: 'The second delete in a method is ignored.',
      http: async (request, next) => {
        const [, handle] = /delivery_method\/([^/]+)\/pickup_point\//.exec(request.url) ?? [];
        if (request.method !== 'DELETE' || handle === undefined) return next(request);
        if (thinned.has(handle)) return Response.json({ error: false });
        const response = await next(request);
        if (response.ok) thinned.add(handle);
        return response;
      },
    },
    property: 'properties.delivery.model',
    clause: 'delivery.point.delete-removes',
    // Two points have to come, by one call or two, and both have to go: nothing shorter shows it.
    steps:
      /^(replace \w with "\d+" "\d+"|add "\d+" to \w); (add "\d+" to \w; )?delete "\d+" from \w; (add "\d+" to \w; )?delete "\d+" from \w$/,
  },
  {
    deviation: {
      id: 'seeded.other-handles',
      about: 'A change under several handles reaches the first.',
      rules: (correct) => ({
        appliedTo: (methods, operation) =>
          operation === 'changePoint' ? methods.slice(0, 1) : correct.appliedTo(methods, operation),
      }),
    },
    property: 'properties.delivery.model',
    clause: 'delivery.handles.update-in-each',
    // The point has to come to both, by one call or two.
    steps: /^(add "\d+" to \w,\w|add "\d+" to \w; add "\d+" to \w); change [a-z]+ of "\d+" in \w,\w$/,
  },
  {
    deviation: {
      id: 'seeded.foreign-delete',
      about: 'Any store deletes points of any method.',
      rules: (correct) => ({
        ownerMayChange: (owner, method, operation) =>
          operation === 'deletePoint' || correct.ownerMayChange(owner, method, operation),
      }),
    },
    property: 'properties.delivery.model',
    clause: 'delivery.owner.points-not-deletable',
    steps: /delete "\d+" from \w by the other store$|delete "\d+" from X$/,
  },
  {
    deviation: {
      id: 'seeded.language-lost',
      about: 'A text that is created in more than one language loses the last.',
      rules: (correct) => ({
        mergeText: (before, sent, site) => {
          const text = correct.mergeText(before, sent, site);
          if (before !== null || text === null || typeof text === 'string' || Object.keys(text).length < 2) return text;
          return Object.fromEntries(Object.entries(text).slice(0, -1));
        },
      }),
    },
    property: 'properties.multilanguage.texts',
    clause: 'delivery.multilanguage.object-read-back',
    steps: /^the title of a method: \{"\w\w":"(\\?.)?","\w\w":"\\?."\}$/,
  },
  {
    deviation: {
      id: 'seeded.hundredth-lost',
      about: 'The hundredth point of a call is lost.',
      rules: (correct) => ({ stage: (list, points) => correct.stage(list, points.slice(0, 99)) }),
    },
    property: 'properties.batch.portions',
    clause: 'delivery.batch.accepts-100-points',
    steps: /^100 points in portions of 100, then of 100$/,
  },
  {
    deviation: {
      id: 'seeded.order-by-size',
      about: 'Pages of three come backwards.',
      rules: (correct) => ({
        pageOf: (list, after, size, backwards) => {
          const page = correct.pageOf(list, after, size, backwards);
          return size === 3 ? { ...page, items: page.items.toReversed() } : page;
        },
      }),
    },
    property: 'properties.lists.walks',
    clause: 'delivery.lists.stable-order',
    steps: /^2 points in pages of (1 and of 3|3 and of 1)$/,
  },
  {
    deviation: {
      id: 'seeded.decoded-twice',
      about: 'Paths are decoded once too often.',
      http: (request, next) => {
        const url = request.url.replace('%2520', '%20').replace('%252B', '%2B').replace('%2525', '%25');
        return next(url === request.url ? request : new Request(url, request));
      },
    },
    property: 'properties.points.ids',
    clause: 'delivery.point.id-any-characters',
    steps: /^the id "%" beside "%25"$/,
  },
  {
    deviation: {
      id: 'seeded.data-merged',
      about: 'Data that is set again is laid over the former.',
      rules: () => ({
        dataKept: (before, sent) =>
          typeof before === 'object' && typeof sent === 'object' ? { ...before, ...sent } : sent,
      }),
    },
    property: 'properties.apps.data',
    clause: 'apps.data.replaced-entirely',
    steps: /^the data \{"[^"]*":.*\}, then \{.*\}$/,
  },
  {
    deviation: {
      id: 'seeded.settings-of-a-session',
      about: 'Settings that were set are forgotten when a user signs out.',
      http: async (request, next, service) => {
        const { pathname } = new URL(request.url);
        const { resellers } = service.state;
        if (pathname === '/api/settings/set/')
          for (const one of resellers.all()) former.set(one.id, former.get(one.id) ?? one);
        if (pathname === '/api/authorize/logout/') {
          service.change(() => {
            for (const one of former.values()) resellers.patch(String(one.id), { settings: one.settings });
          });
          former.clear();
        }
        return next(request);
      },
    },
    property: 'properties.reseller.model',
    clause: 'reseller.settings.set-applies',
    steps: /^set \w+; sign out and in$/,
  },
  {
    deviation: {
      id: 'seeded.domain-once',
      about: 'A domain that was removed is not attached again.',
      http: async (request, next, service) => {
        const [, id] = /\/domain\/(\d+)\/remove\/$/.exec(new URL(request.url).pathname) ?? [];
        const domain = service.state.domains.all().find((one) => String(one.id) === id)?.domain;
        if (domain !== undefined) removed.add(domain);
        const sent = new URLSearchParams(request.body === null ? '' : await request.clone().text()).get('domain') ?? '';
        return request.url.endsWith('/domain/add/') && removed.has(sent)
          ? Response.json({ error: false })
          : next(request);
      },
    },
    property: 'properties.reseller.model',
    clause: 'reseller.domain.add-attaches',
    // The run before has removed it.
    steps: /add the domain \S+$/,
  },
  {
    deviation: {
      id: 'seeded.set-by-get',
      about: 'A setting that is set by GET is not kept.',
      http: (request, next) => {
        const isSet = request.method === 'GET' && new URL(request.url).pathname.endsWith('/settings/set/');
        return isSet ? Promise.resolve(Response.json({ error: false })) : next(request);
      },
    },
    property: 'properties.reseller.model',
    clause: 'reseller.settings.set-applies',
    steps: /^set \w+$/,
  },
  {
    deviation: {
      id: 'seeded.replacement-signs',
      about: 'A dollar sign and a digit in a snippet are replaced.',
      rules: (correct) => ({ snippetKept: (text) => correct.snippetKept(text.replaceAll('$1', '')) }),
    },
    property: 'properties.apps.snippets',
    clause: 'apps.snippet.default-kept',
    steps: /^the snippet .*\$1/,
  },
  {
    deviation: {
      id: 'seeded.one-snippet',
      about: 'The snippets of all languages are one.',
      rules: () => ({ snippetSlot: () => '*' }),
    },
    property: 'properties.apps.model',
    clause: 'apps.snippet.default-and-language-separate',
    // Setting one place after the other shows it already.
    steps: /^set each in turn$/,
  },
];

/** A result without what a target makes up again: handles, and marks of the run. */
const withoutRandomParts = ({ expected, actual, clauses, replay }: CheckResult): string =>
  JSON.stringify({ expected, actual, clauses, replay }).replaceAll(/dm[0-9a-f]{16}|pm-in-process-\w+/g, '…');

test('a token that ends during a sequence is renewed', async () => {
  let sets = 0;
  const { options } = mock({
    id: 'test.tokens-end',
    about: 'Now and then all tokens have come to their end when a setting is to be set.',
    http: (request, next, service) => {
      const isSet = new URL(request.url).pathname.endsWith('/settings/set/');
      if (isSet) sets += 1;
      if (isSet && sets % 9 === 0) {
        const { tokens } = service.state;
        service.change(() => {
          for (const { token } of tokens.all()) tokens.delete(token);
        });
      }
      return next(request);
    },
  });
  const [result] = await runAll(options, 'properties.reseller.model');
  assert.ok(sets >= 9, `${sets} settings were set`);
  assert.equal(result?.verdict, 'pass', result?.reason);
});

describe('a seeded deviation', () => {
  for (const { deviation, property, clause, steps } of SEEDED) {
    test(`is found: ${deviation.about}`, async () => {
      // Seeds differ in how soon they come upon it; with some runs more each of them does.
      const options = { propertyRuns: 100, seed: 5 };
      const [result] = await runAll({ ...mock(deviation).options, ...options }, property);
      assert.ok(result);
      assert.equal(result.verdict, 'fail', result.reason);
      assert.deepEqual(result.clauses, [clause], result.reason);
      const shortest = (result.expected as { with: string[] }).with.join('; ');
      assert.match(shortest, steps);
      assert.match(result.curl ?? '', /^curl -sS -g -i -X /);
      assert.match(result.reason ?? '', /proofmark run --only properties\.\S+ --seed 5 --replay \S+ \(/);

      const [path = '', replayPath] = (result.replay ?? '').split('@');
      const replay = { path, ...(replayPath === undefined ? {} : { replayPath }) };
      const [again] = await runAll({ ...mock(deviation).options, ...options, propertyRuns: 0, replay }, property);
      assert.ok(again);
      assert.equal(withoutRandomParts(again), withoutRandomParts(result));
      const [fixed] = await runAll({ ...mock().options, ...options, replay }, property);
      assert.equal(fixed?.verdict, 'pass', fixed?.reason);
    });
  }
});
