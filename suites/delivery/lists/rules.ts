/** The rules of lists as checks, each tested with the points of a method of the run and with the methods of the store. */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { CheckTitle } from '../../../harness/check/facts.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { methodList } from './method-list.ts';
import { emptyPointList, FEW_POINTS, type ListUnderTest, longPointList, MANY_POINTS, pointList } from './point-list.ts';
import { LARGE_PAGE_ITEMS, METHOD_LISTS, POINT_LISTS, type Spec } from './reading/index.ts';
import { type Anomaly, LIST_CLAUSES, type ListClause } from './reading/judge.ts';
import { isListCorrect, type SharedList, sharedMethodList, sharedPointList } from './reading/shared.ts';

interface Rule {
  readonly clause: ListClause;
  /** The ids of its checks: on the points of a method, on all methods, and on methods that the check creates itself. */
  readonly ids: { readonly points: string; readonly methods: string; readonly ownMethods?: string };
  /** `%` is replaced by the items of the list. */
  readonly title: CheckTitle;
  /** Ways of reading a short list to its end. */
  readonly short: readonly Spec[];
  /** Ways of reading a list with several default pages, for rules that depend on the link alone. */
  readonly long?: readonly Spec[];
  /** Ways of reading a list without items. */
  readonly empty?: readonly Spec[];
  /** Ways of reading the list of methods, whose length is unknown: walks stop after some pages. */
  readonly methods: readonly Spec[];
}

/** How many pages are read of the shared list of methods: enough to follow several links. */
const FEW_PAGES = 5;

const whole: Spec = { pageSize: LARGE_PAGE_ITEMS };
const walks: readonly Spec[] = [whole, { pageSize: 1 }, { pageSize: 2 }, { pageSize: 7 }, {}];
const beginnings: readonly Spec[] = [1, 2, 7].map((pageSize) => ({ pageSize, stopAfter: FEW_PAGES }));
const backwards = (specs: readonly Spec[]): Spec[] => specs.map((spec) => ({ ...spec, desc: true }));
const firstPages = (specs: readonly Spec[]): Spec[] => specs.map((spec) => ({ ...spec, stopAfter: 1 }));

/** Ways in which later pages of the list of methods are read backwards, where new methods usually are. */
export const DESCENDING_METHODS: readonly Spec[] = backwards(beginnings.slice(0, 2));

/** Links are built by other code in reverse order. */
const BY_SIZE: readonly Spec[] = [
  ...[1, 2, 7].map((pageSize) => ({ pageSize, stopAfter: 3 })),
  { pageSize: 2, stopAfter: 3, desc: true },
];

const RULES: readonly Rule[] = [
  {
    clause: 'delivery.lists.page-size-respected',
    ids: {
      points: 'delivery.lists.points.page-size',
      methods: 'delivery.lists.methods.page-size',
      ownMethods: 'delivery.lists.own-methods.page-size',
    },
    title: 'MUST NOT return more % per page than page_size',
    short: BY_SIZE,
    methods: BY_SIZE,
  },
  {
    clause: 'delivery.lists.next-link',
    ids: {
      points: 'delivery.lists.points.next-link',
      methods: 'delivery.lists.methods.next-link',
      ownMethods: 'delivery.lists.own-methods.next-link',
    },
    title: 'MUST link each page of % to the next one while items remain',
    // All 15 on one page, to find off-by-one errors at the end.
    short: [...walks, { pageSize: 15 }],
    long: [whole, {}],
    methods: beginnings,
  },
  {
    clause: 'delivery.lists.walk-ends',
    ids: { points: 'delivery.lists.points.walk-ends', methods: 'delivery.lists.methods.walk-ends' },
    title: 'MUST end the pages of % after the last item',
    // 15 items fill pages of 1, 3, 5 and 15 exactly, where services often miss the end.
    short: [...walks, { pageSize: 3 }, { pageSize: 5 }, { pageSize: 15 }],
    empty: [{}, { pageSize: 1 }],
    methods: [{}],
  },
  {
    clause: 'delivery.lists.every-item-once',
    ids: {
      points: 'delivery.lists.points.every-item-once',
      methods: 'delivery.lists.methods.every-item-once',
      ownMethods: 'delivery.lists.own-methods.every-item-once',
    },
    title: 'MUST list all % exactly once across pages of every size',
    short: walks,
    long: [whole, {}],
    methods: [...beginnings, {}],
  },
  {
    clause: 'delivery.lists.stable-order',
    ids: { points: 'delivery.lists.points.stable-order', methods: 'delivery.lists.methods.stable-order' },
    title: 'MUST keep the same order of % for every page size',
    // Twice: each request may return another order.
    short: [...walks, { pageSize: 7 }, {}],
    methods: [...beginnings, {}, {}],
  },
  {
    clause: 'delivery.lists.desc-reverses-whole-list',
    ids: {
      points: 'delivery.lists.points.desc',
      methods: 'delivery.lists.methods.desc',
      ownMethods: 'delivery.lists.own-methods.desc',
    },
    title: 'MUST reverse the order of % with desc=1',
    short: [
      whole,
      { pageSize: 2 },
      { pageSize: 7 },
      { ...whole, desc: true },
      ...firstPages(backwards(walks.slice(1))),
    ],
    methods: [...firstPages(beginnings), { ...whole, desc: true }, ...firstPages(backwards([...beginnings, {}]))],
  },
  {
    clause: 'delivery.lists.desc-kept-on-later-pages',
    ids: {
      points: 'delivery.lists.points.desc-later-pages',
      methods: 'delivery.lists.methods.desc-later-pages',
      ownMethods: 'delivery.lists.own-methods.desc-later-pages',
    },
    title: 'MUST keep desc=1 on every later page of %',
    short: [whole, ...[2, 7].flatMap((pageSize) => [{ pageSize }, { pageSize, desc: true }])],
    long: [whole, {}, { desc: true }],
    methods: [...beginnings.slice(0, 2), ...DESCENDING_METHODS],
  },
];

/** The number of methods that a check creates for walks over methods: two and a half pages of two. */
export const OWN_METHODS_COUNT = 5;

const titled = ({ title }: Rule, items: string): CheckTitle => title.replace('%', items) as CheckTitle;

/** For an owner who can have one method only: the next list of the check needs its place. */
async function decideAndRelease(...[context, rule, list, specs]: Parameters<typeof decide>): Promise<void> {
  await decide(context, rule, list, specs);
  list.release?.();
}

const onPoints = (rule: Rule): Check =>
  check(
    rule.ids.points,
    titled(rule, 'pickup points'),
    { clauses: [rule.clause], ...OWN_METHODS, shares: POINT_LISTS },
    async (context) => {
      const { short, long, empty } = rule;
      if (!(await isKept(context, rule, await sharedPointList(context, FEW_POINTS), short, allSpecs('short'))))
        await decideAndRelease(context, rule, await pointList(context), short);
      if (
        long !== undefined &&
        !(await isKept(context, rule, await sharedPointList(context, MANY_POINTS), long, allSpecs('long')))
      )
        await decideAndRelease(context, rule, await longPointList(context), long);
      if (empty !== undefined) await decide(context, rule, await emptyPointList(context), empty);
    },
  );

const onMethods = (rule: Rule): Check =>
  check(
    rule.ids.methods,
    titled(rule, 'delivery methods'),
    { clauses: [rule.clause], ...OWN_METHODS, effects: 'read', alone: true, shares: METHOD_LISTS },
    async (context) => decideOnMethods(context, rule, 0),
  );

/** For rules that need a longer list: with its own methods a check has enough. */
const onOwnMethods = (rule: Rule, id: string): Check =>
  check(
    id,
    titled(rule, 'old and new delivery methods'),
    { clauses: [rule.clause], ...OWN_METHODS, alone: true, shares: METHOD_LISTS },
    async (context) => decideOnMethods(context, rule, OWN_METHODS_COUNT),
  );

async function decideOnMethods(context: Context, rule: Rule, own: number): Promise<void> {
  if (!(await isKept(context, rule, await sharedMethodList(context, own), rule.methods, allSpecs('methods'))))
    await decide(context, rule, await methodList(context, own), rule.methods);
}

const allSpecs = (of: 'short' | 'long' | 'methods'): readonly Spec[] => RULES.flatMap((rule) => rule[of] ?? []);

/** Whether shared readings decide a rule: they do if they have no anomaly. */
async function isKept(
  context: Context,
  rule: Rule,
  list: SharedList | undefined,
  specs: readonly Spec[],
  others: readonly Spec[],
) {
  const holds = await isListCorrect(context, list, specs, others);
  if (holds) context.expect.that(holds, rule.title);
  return holds;
}

/** Asserts that there is no anomaly under the rule's clause. An anomaly under an earlier clause leaves it undecided. */
async function decide({ given, expect }: Context, rule: Rule, list: ListUnderTest, specs: readonly Spec[]) {
  const anomalies = await list.anomalies(specs, rule.clause);
  const broken = anomalies.find(({ clause }) => clause === rule.clause);
  const [first] = broken === undefined ? anomalies.filter(({ clause }) => leavesUndecided(clause, rule.clause)) : [];
  if (first !== undefined) {
    const isRefused = first.response !== undefined && !isServed(first.response);
    if (isRefused) given.granted(false, first.clause, sentence(list, first), evidenceOf(first));
    given.holds(false, first.clause, sentence(list, first), evidenceOf(first));
  }
  expect.that(broken === undefined, broken === undefined ? rule.title : sentence(list, broken), evidenceOf(broken));
}

const leavesUndecided = (found: ListClause, asked: ListClause): boolean =>
  asked !== 'delivery.lists.page-size-respected' &&
  found !== 'delivery.lists.page-size-respected' &&
  LIST_CLAUSES.indexOf(found) < LIST_CLAUSES.indexOf(asked);

export const sentence = ({ source }: Pick<ListUnderTest, 'source'>, { message }: Anomaly): string =>
  `list of ${source.item}s: ${message}`;

export const evidenceOf = (anomaly: Anomaly | undefined) =>
  anomaly === undefined
    ? {}
    : { expected: anomaly.expected, actual: anomaly.actual, pointer: pointerOf(anomaly), response: anomaly.response };

const pointerOf = ({ clause, response }: Anomaly): string => {
  const links: readonly ListClause[] = ['delivery.lists.next-link', 'delivery.lists.walk-ends'];
  if (links.includes(clause)) return '/next_page_uri';
  const isMethods = response?.request.url.includes('/delivery_methods/') === true;
  return isMethods ? '/delivery_methods' : '/pickup_points';
};

export const checks: readonly Check[] = [
  ...RULES.map(onPoints),
  // First: those on the methods that are there rest on the longer list.
  ...RULES.flatMap((rule) => (rule.ids.ownMethods === undefined ? [] : [onOwnMethods(rule, rule.ids.ownMethods)])),
  ...RULES.map(onMethods),
];
