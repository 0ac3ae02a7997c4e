// What single checks do not look at: each deviation shows only in a neighbour, after a repeated call, by one way or for one text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, type Suite } from '../../../../harness/check/check.ts';
import { READING } from '../../../reseller/steps/options.ts';
import { type DeviationRow, findsEach, type Http, judged, USUAL_RUNS } from '../../steps/whole-state.fixture.ts';
import { ALLOWED_EFFECTS, capabilitiesOf } from '../means.ts';
import { SystemUnderTest } from '../system-under-test.ts';
import { playAll } from './index.ts';
import type { Step } from './steps.ts';

const ID = 'properties.reseller.whole-state';
/** Sequences that find each deviation. */
const RUNS = 40;

const pathOf = (request: Request): string => new URL(request.url).pathname;
const parametersOf = async (request: Request): Promise<URLSearchParams> => {
  const inBody = request.body === null ? '' : await request.clone().text();
  return new URLSearchParams(`${new URL(request.url).searchParams}&${inBody}`);
};
/** The same call by POST with other parameters. */
const rewritten = (request: Request, parameters: URLSearchParams): Request =>
  new Request(request.url.split('?')[0]!, { method: 'POST', body: parameters });
const refusal = () => Response.json({ error: true, errorCode: 422, errorMsg: 'Not taken.' }, { status: 422 });

/** The parameters of a set, each text through `change`. */
const changingSettings = (change: (text: string) => string) => (): Http => async (request, next) => {
  if (!pathOf(request).endsWith('/settings/set/')) return next(request);
  const all = [...(await parametersOf(request))].map(([name, text]) => [
    name,
    name === 'apiToken' ? text : change(text),
  ]);
  return next(rewritten(request, new URLSearchParams(all)));
};

const DEVIATIONS: readonly DeviationRow[] = [
  [
    'letters of settings are composed',
    changingSettings((text) => text.normalize('NFC')),
    /^reseller\.settings\.set-applies$/,
  ],
  [
    'settings are cut at 256 characters',
    changingSettings((text) => text.slice(0, 256)),
    /^reseller\.settings\.set-applies$/,
  ],
  [
    'zeros in front of a setting are lost',
    changingSettings((text) => text.replace(/^0+(?=\d)/, '')),
    /^reseller\.settings\.set-applies$/,
  ],
  [
    'disabling twice enables',
    () => async (request, next, service) => {
      const [, id] = /\/website\/(\d+)\/disable\/$/.exec(pathOf(request)) ?? [];
      const before = service.state.websites.all().find((one) => String(one.id) === id)?.status;
      const response = await next(request);
      const after = service.state.websites.all().find((one) => String(one.id) === id)?.status;
      if (id === undefined || !response.ok || before !== after) return response;
      return next(new Request(request.url.replace('/disable/', '/enable/'), request));
    },
    /^reseller\.website\.disable$/,
  ],
  [
    'a domain that is added twice is listed twice',
    () => {
      const added = new Set<string>();
      return async (request, next) => {
        const path = pathOf(request);
        const name = path.endsWith('/domain/add/') ? (await parametersOf(request)).get('domain') : null;
        const response = await next(request);
        if (name !== null && !response.ok) added.add(name);
        if (!path.endsWith('/domains/') || !response.ok) return response;
        const body = (await response.json()) as { domains: { domainID: number; domain: string }[] };
        const twice = body.domains.filter(({ domain }) => added.has(domain));
        const more = twice.map((one) => ({ ...one, domainID: one.domainID + 5_000 }));
        return Response.json({ ...body, domains: [...body.domains, ...more] });
      };
    },
    /^(?:reseller\.domain\.|envelope\.reseller\.refusal-changes-nothing)/,
  ],
  [
    'a refused call for a domain removes another one',
    () => async (request, next, service) => {
      const isUnknown = /\/domain\/2147483629\/remove\/$/.test(pathOf(request));
      if (isUnknown) {
        const last = service.state.domains.all().at(-1);
        if (last !== undefined) service.change(() => service.state.domains.delete(String(last.id)));
      }
      return next(request);
    },
    /^envelope\.reseller\.refusal-changes-nothing$/,
  ],
  [
    'a setting that is set without a token is refused and set nevertheless',
    () => async (request, next, service) => {
      if (!pathOf(request).endsWith('/settings/set/')) return next(request);
      const parameters = await parametersOf(request);
      const response = await next(request);
      const [reseller] = service.state.resellers.all();
      if (response.status === 401 && reseller !== undefined) {
        const [[name, text] = []] = [...parameters].filter(([one]) => one !== 'apiToken');
        if (name !== undefined)
          service.change(() =>
            service.state.resellers.patch(String(reseller.id), {
              settings: { ...reseller.settings, [name]: text },
            } as never),
          );
      }
      return response;
    },
    /^reseller\.token\.every-write$/,
  ],
  [
    'a subscription that is asked for directly after a refusal does not start',
    () => {
      let isAfterRefusal = false;
      return async (request, next) => {
        const isLost = isAfterRefusal && /\/enable_premium\/[a-z]+\/$/.test(pathOf(request));
        const response = isLost ? Response.json({ error: false }) : await next(request);
        isAfterRefusal = !response.ok;
        return response;
      };
    },
    /^reseller\.premium\.enable/,
  ],
  [
    'ids are texts where records are read by GET',
    () => async (request, next) => {
      const response = await next(request);
      if (request.method !== 'GET' || !pathOf(request).endsWith('/websites/') || !response.ok) return response;
      const body = (await response.json()) as { websites: { websiteID: number }[] };
      return Response.json({
        ...body,
        websites: body.websites.map((one) => ({ ...one, websiteID: String(one.websiteID) })),
      });
    },
    /^reseller\.website\.id$/,
  ],
  [
    'a token is served on after a logout by GET',
    () => (request, next) =>
      request.method === 'GET' && pathOf(request).endsWith('/authorize/logout/')
        ? Promise.resolve(Response.json({ error: false }))
        : next(request),
    /^reseller\.logout\.invalidates$/,
  ],
];

findsEach(ID, DEVIATIONS, RUNS);

// In the order and number of a usual run.
for (const id of [ID, 'properties.reseller.model'])
  findsEach(
    id,
    [
      [
        // Its clean-up leaves the domain: the next sequence, and each that makes it smaller, begins with it.
        'a removed domain stays',
        () => async (request, next) => {
          const path = pathOf(request);
          if (!/\/domain\/\d+\/remove\/$/.test(path)) return next(request);
          const domains = new URL(path.replace(/domain\/\d+\/remove\/$/, 'domains/'), request.url).href;
          const { domains: listed = [] } = (await (
            await next(rewritten(new Request(domains), await parametersOf(request)))
          ).json()) as { domains?: { domainID: number }[] };
          const isListed = listed.some(({ domainID }) => path.includes(`/domain/${domainID}/`));
          return isListed ? Response.json({ error: false }) : next(request);
        },
        /^reseller\.domain\.remove-detaches$/,
      ],
    ],
    USUAL_RUNS,
  );

test('a service that refuses texts beyond letters, digits and a few signs, and every repeated call, and shows no number of premium websites by GET, is not blamed', async () => {
  let refused = 0;
  let last = '';
  const result = await judged(
    ID,
    async (request, next) => {
      const path = pathOf(request);
      const isRead = /(?:websites|settings|balance|domains|login|authorize)\/$/.test(path);
      const parameters = await parametersOf(request);
      const texts = [...parameters].filter(([name]) => name !== 'apiToken').map(([, text]) => text);
      const isPlain = texts.every((text) => /^[\w .+:/@=&?-]{0,60}$/.test(text));
      const isAgain = !isRead && !path.endsWith('/settings/set/') && path === last;
      if (!isRead) last = path;
      if (request.method === 'GET' && path.endsWith('/balance/')) {
        const response = await next(request);
        const { premiumWebsites: _, ...balance } = (await response.json()) as Record<string, unknown>;
        return Response.json(balance, { status: response.status });
      }
      if (isRead || (isPlain && !isAgain)) return next(request);
      refused += 1;
      return refusal();
    },
    USUAL_RUNS,
  );
  assert.ok(refused > 10, `${refused} calls were refused`);
  assert.equal(result.verdict, 'pass', result.reason);
});

const LONG = 'x'.repeat(1_600);
const setTo = (text: string): Step => ({ do: 'texts', pairs: [[0, text]], split: false });
const SEQUENCES: readonly (readonly [name: string, steps: readonly Step[]])[] = [
  ['another session sets it meanwhile', [setTo('one'), { do: 'second-session', nth: 0 }, { do: 'again' }]],
  ['a text that is too long to repeat is set meanwhile', [setTo('one'), setTo(LONG), { do: 'again' }]],
];

for (const [name, steps] of SEQUENCES) {
  test(`a setting that a repeated call would take back is not set again: ${name}`, async () => {
    const sequence = check(
      ID,
      'MUST be played',
      { ...READING, usesAllowed: ALLOWED_EFFECTS, clauses: [] },
      async (context) => {
        const means = await capabilitiesOf(context);
        await playAll(
          context,
          new SystemUnderTest(context, means, { step: () => undefined, comparesState: false }),
          steps,
        );
      },
    );
    const suite: Suite = { name: 'properties/reseller', serialGroup: 'reseller', checks: [sequence] };
    const result = await judged(ID, undefined, 1, [suite]);
    assert.equal(result.verdict, 'pass', result.reason);
  });
}
