/** A small run with one of everything, for the tests of the reports; hostile where a target could be. */
import type { CheckResult, Exchange, RunEvent, RunFooter, RunHeader } from '../contracts/run/events.ts';
import type { ClauseText } from './results/index.ts';

export const AT = '2026-03-01T10:00:00.000Z';
/** What a target might put into any text it controls. */
export const HOSTILE = `</pre></script><script>document.title='stolen'</script><img src=x onerror="document.title='stolen'">"'&\u202e\u0007`;
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

export const CLAUSES: readonly ClauseText[] = [
  clause('delivery.method.add', 'MUST', 'Endpoints: delivery methods', 'A new method is created and readable.'),
  clause(
    'delivery.batch.refuses-101-points',
    'MUST',
    'Endpoints: batch',
    'At most 100 pickup points go into one call.',
  ),
  clause('delivery.list.order', 'SHOULD', 'Common rules', 'A list keeps one order.'),
  clause('reseller.login', 'MUST', 'Reseller: authorization', 'Right credentials give a token.'),
  clause('apps.tab', 'MAY', 'Apps: install', 'An app may open in a new tab.'),
  { ...clause('delivery.approval', 'MUST', 'A. Delivery', 'Approval is a human act.'), excluded: 'not observable' },
  { ...clause('label.page', 'MUST', 'Label printing', 'The page is served over HTTPS.'), party: 'integrator' },
];

function clause(id: string, level: 'MUST' | 'SHOULD' | 'MAY', section: string, text: string): ClauseText {
  return { id, level, party: 'service', section, text };
}

export function sampleHeader(more: Partial<RunHeader> = {}): RunHeader {
  return {
    type: 'header',
    proofmark: '0.1.0',
    contract: '2026-03',
    command: 'proofmark run --target staging.json',
    run: 'r-7f3a',
    target: { name: 'staging', kind: 'profile' },
    party: 'service',
    startedAt: AT,
    seed: 42,
    selected: SAMPLE_CHECKS.map((check) => check.id),
    node: 'v24.21.0',
    ...more,
  };
}

export function sampleFooter(more: Partial<RunFooter> = {}): RunFooter {
  return {
    type: 'footer',
    endedAt: '2026-03-01T10:00:04.200Z',
    durationMs: 4200,
    requests: 4,
    allowInconclusive: false,
    notices: ['the target answered 429 twice; the run waited 2 s'],
    timings: { start: 300, delivery: 2100, browser: 1500 },
    ...more,
  };
}

export function sampleExchange(n: number, check: string, more: Partial<Exchange> = {}): Exchange {
  return {
    type: 'exchange',
    n,
    check,
    role: 'probe',
    direction: 'sent',
    at: AT,
    durationMs: 10 + n,
    request: {
      method: 'POST',
      url: `https://staging.example/v1/store/?q=${HOSTILE}`,
      headers: [
        ['Authorization', '$STORE_KEY'],
        ['Content-Type', 'application/json'],
      ],
      body: { text: '{"title":{"en":"Parcel","lv":"Paka"},"big":12345678901234567890.10}' },
    },
    response: {
      status: 200,
      headers: [
        ['content-type', 'application/json'],
        ['x-hostile', HOSTILE],
      ],
      body: {
        text: JSON.stringify({ error: false, method: { handle: 'm1', title: HOSTILE, countries: ['LV', 'EE'] } }),
      },
    },
    ...more,
  };
}

export function sampleCheck(id: string, more: Partial<CheckResult> = {}): CheckResult {
  return {
    type: 'check',
    id,
    title: `MUST keep ${id}`,
    level: 'MUST',
    suite: id.split('.')[0] as string,
    clauses: [],
    verdict: 'pass',
    exchanges: [],
    startedAt: AT,
    durationMs: 12,
    ...more,
  };
}

const SAMPLE_CHECKS: readonly CheckResult[] = [
  sampleCheck('delivery.method.add.reads-back', {
    title: 'MUST create a method that reads back as it was sent',
    clauses: ['delivery.method.add'],
    verdict: 'fail',
    attribution: 'target',
    reason: `the title read back differs ${HOSTILE}`,
    expected: { title: { en: 'Parcel', lv: 'Paka' }, countries: ['LV', 'EE', 'LT'], url: null },
    actual: { title: { en: 'Parcel', lv: HOSTILE }, countries: ['LV', 'EE'], url: null },
    pointer: '/method/title',
    exchanges: [1, 2],
    decisive: 2,
    curl: `curl -sS -g -i -X POST 'https://staging.example/v1/store/' -H 'Authorization: '"$STORE_KEY" --data-raw '${HOSTILE}'`,
    screenshots: [{ title: `the order page ${HOSTILE}`, png: PNG }],
    trace: { file: 'traces/delivery.method.add.reads-back.zip' },
    seed: 42,
    replay: 'AEBT:K',
  }),
  sampleCheck('delivery.batch.refuses-101', {
    title: 'MUST refuse 101 points',
    clauses: ['delivery.batch.refuses-101-points'],
    exchanges: [3],
    decisive: 3,
    warnings: [`answers 500 where 4XX is meant ${HOSTILE}`],
  }),
  sampleCheck('delivery.list.one-order', {
    title: 'SHOULD keep one order in a list',
    level: 'SHOULD',
    clauses: ['delivery.list.order'],
    verdict: 'warn',
    attribution: 'target',
    reason: 'two walks came in different orders',
    expected: ['a', 'b'],
    actual: ['b', 'a'],
    trace: { omitted: `the trace was not kept ${HOSTILE}` },
  }),
  sampleCheck('reseller.login.token', {
    clauses: ['reseller.login'],
    verdict: 'inconclusive',
    attribution: 'configuration',
    reason: 'the profile has no "reseller.email": add it and run again',
  }),
  sampleCheck('reseller.login.logout', {
    clauses: ['reseller.login'],
    verdict: 'inconclusive',
    attribution: 'configuration',
    reason: 'the profile has no "reseller.email": add it and run again',
  }),
  sampleCheck('delivery.method.change', {
    clauses: ['delivery.method.add'],
    verdict: 'inconclusive',
    attribution: 'target',
    because: 'delivery.method.add',
    reason: 'not decided, because delivery.method.add is broken: answered 500',
  }),
  sampleCheck('apps.tab.mode', {
    level: 'MAY',
    clauses: ['apps.tab'],
    verdict: 'not-applicable',
    reason: 'the profile declares "apps" absent',
  }),
  sampleCheck('apps.snippet.observed', {
    level: 'OBSERVES',
    title: 'OBSERVES which status a bad key gets',
    verdict: 'observed',
  }),
];

/** Every kind of line, with every optional member somewhere. */
export function sampleRun(): RunEvent[] {
  return [
    sampleHeader({
      plan: SAMPLE_CHECKS.map(({ id, title, level, suite, clauses }) => ({ id, title, level, suite, clauses })),
    }),
    sampleExchange(1, 'delivery.method.add.reads-back', { role: 'given' }),
    sampleExchange(2, 'delivery.method.add.reads-back'),
    sampleExchange(3, 'delivery.batch.refuses-101', {
      request: { method: 'GET', url: 'https://staging.example/v1/', headers: [] },
      response: { status: 204, headers: [], body: { base64: '/w==', truncated: 5 } },
    }),
    withoutResponse(sampleExchange(4, 'apps.snippet.observed', { direction: 'received' })),
    ...SAMPLE_CHECKS,
    {
      type: 'observation',
      id: 'apps.bad-key-status',
      question: 'Which status does a bad key get?',
      seen: { status: 401, note: HOSTILE },
      check: 'apps.snippet.observed',
      exchanges: [4],
    },
    { type: 'ledger', what: 'created', object: 'delivery method pm-r-7f3a/m1' },
    { type: 'ledger', what: 'removed', object: 'delivery method pm-r-7f3a/m1' },
    { type: 'ledger', what: 'placed', object: 'order-7' },
    { type: 'ledger', what: 'created', object: 'delivery method pm-r-7f3a/m2' },
    {
      type: 'ledger',
      what: 'orphan',
      object: `delivery method pm-r-7f3a/m2 ${HOSTILE}`,
      reason: 'the target refused to delete it',
    },
    sampleFooter(),
  ];
}

function withoutResponse({ response: _, ...exchange }: Exchange): Exchange {
  return { ...exchange, failure: 'no answer within 15 s' };
}

/** A run without fault: everything passed. */
export function cleanRun(): RunEvent[] {
  const clauses = CLAUSES.filter((row) => row.party === 'service' && row.excluded === undefined);
  const checks = clauses.map((row) => sampleCheck(`${row.id}.check`, { clauses: [row.id] }));
  return [sampleHeader({ selected: checks.map((check) => check.id) }), ...checks, sampleFooter({ notices: [] })];
}
