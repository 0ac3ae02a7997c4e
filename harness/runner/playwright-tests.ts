/** Checks as Playwright's tests: one test a check, titled `id title`, with tags and annotations. */
import { test as builtIn, mergeTests, type TestDetails, type TestInfo, type TestType } from '@playwright/test';
import { CLAUSES } from '../../contracts/clauses/index.ts';
import { unreachedReason } from '../../contracts/run/interruption.ts';
import type { Check, Suite } from '../check/check.ts';
import { awaitJob } from './job.ts';
import { touchesMethods } from './order/method-turns.ts';
import { shuffled } from './order/shuffle.ts';
import { settingsOf } from './settings.ts';
import { reportTest } from './verdict-of-test.ts';
import { Worker } from './worker.ts';

interface OfWorker {
  readonly worker: Worker;
}
type CheckTest = TestType<object, OfWorker>;

/** A check waits for the target's timeouts, not for the runner's: this only ends what hangs for good. */
export const CHECK_TIMEOUT_MS = 10 * 60_000;

function withWorker(base: TestType<object, object>): CheckTest {
  return base.extend<object, OfWorker>({
    worker: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright demands a destructured first argument
      async ({}, use, info) => {
        const worker = await Worker.start(await awaitJob(), `worker-${info.workerIndex}`);
        await use(worker);
        await worker.close();
      },
      { scope: 'worker', timeout: CHECK_TIMEOUT_MS },
    ],
  });
}

/** Merged from nothing: without Playwright's own fixtures, which cost about 10 ms of CPU a test (docs/decisions). */
export const plainTest = withWorker(mergeTests() as TestType<object, object>);
/**
 * For serial groups with browser steps, which Playwright's own fixtures trace on request. A serial group has one kind of test,
 * because tests with other fixtures get other workers and would break its order.
 */
export const pageTest = settingsOf().traced ? withWorker(builtIn as TestType<object, object>) : plainTest;

const SECTIONS = new Map<string, string>(CLAUSES.map(({ id, section }) => [id, section]));

/** What Playwright shows of a check, and selects it by. */
function detailsOf(check: Check): Required<Pick<TestDetails, 'tag' | 'annotation'>> {
  const sections = new Set(check.clauses.flatMap((clause) => SECTIONS.get(clause) ?? []));
  // `delivery.private` is tagged @delivery, too.
  const parts = new Set(check.partList.flatMap((part) => [part.split('.', 1)[0], part]));
  return {
    tag: [...parts, check.level, ...check.effectList].map((word) => `@${word}`),
    annotation: [
      ...check.clauses.map((description) => ({ type: 'clause', description })),
      ...[...sections].map((description) => ({ type: 'section', description })),
      ...(check.source === undefined ? [] : [{ type: 'source', description: check.source }]),
    ],
  };
}

export const titleOf = (check: Pick<Check, 'id' | 'title'>): string => `${check.id} ${check.title}`;

/** The id in a title that `titleOf` made. */
export const idOfTitle = (title: string): string => title.split(' ', 1)[0] ?? title;

/** Playwright's lock of a test: one for each group of tests, which keeps none of the others waiting. */
const lockOf = ({ check, suite: { serialGroup } }: CheckOfSuite): string =>
  serialGroup === 'delivery' ? (check.shares ?? check.id) : serialGroup;

/**
 * The locks that a test holds while it runs; none where it can't change the list of all delivery methods. A check that judges that list
 * (`alone`) holds those of all others.
 */
function locksOf(one: CheckOfSuite, suites: readonly Suite[]): { readonly lock?: string[] } {
  if (!touchesMethods(one.check)) return {};
  if (one.check.alone !== true) return { lock: [lockOf(one)] };
  const all = suites.flatMap((suite) => suite.checks.map((check) => ({ check, suite })));
  return { lock: [...new Set(all.filter(({ check }) => touchesMethods(check)).map(lockOf))] };
}

type Body = (fixtures: OfWorker, info: TestInfo) => Promise<void>;

type TestArguments = [string, TestDetails, Body];

/** The arguments of `test()` for each check of a serial group, in an order that is the same in every process. */
export function testsOf(suites: readonly Suite[], serialGroup: string): TestArguments[] {
  return checksOf(suites, serialGroup).map(argumentsIn(suites));
}

/**
 * The same in groups: the checks of a group share something and run in order in one worker. Large groups come first, and after all
 * others those that wait for them.
 */
export function groupsOf(suites: readonly Suite[], serialGroup: string): TestArguments[][] {
  const groups = [...Map.groupBy(checksOf(suites, serialGroup), ({ check }) => check.shares ?? check.id).values()];
  const waits = (group: readonly CheckOfSuite[]): number => Number(group.some(({ check }) => check.alone));
  return groups
    .sort((a, b) => waits(a) - waits(b) || b.length - a.length)
    .map((group) => group.map(argumentsIn(suites)));
}

interface CheckOfSuite {
  readonly check: Check;
  readonly suite: Suite;
}

function checksOf(suites: readonly Suite[], serialGroup: string): CheckOfSuite[] {
  const checks = suites
    .filter((suite) => suite.serialGroup === serialGroup)
    .flatMap((suite) => suite.checks.map((check) => ({ check, suite })));
  return shuffled(checks, settingsOf().shuffle);
}

function argumentsIn(suites: readonly Suite[]): (one: CheckOfSuite) => TestArguments {
  const all = suites.flatMap(({ checks }) => checks);
  return ({ check, suite }) => [
    titleOf(check),
    { ...detailsOf(check), ...locksOf({ check, suite }, suites) },
    async ({ worker }, info) => runTest(worker, check, suite.name, all, info),
  ];
}

async function runTest(
  worker: Worker,
  check: Check,
  suite: string,
  all: readonly Check[],
  info: TestInfo,
): Promise<void> {
  const { retry, repeatEachIndex } = info;
  const ran = await worker.run(check, suite, all, retry + repeatEachIndex === 0 ? '' : ` ${repeatEachIndex}.${retry}`);
  if (worker.job.failures !== 'thrown') return;
  if (ran === undefined) info.skip(true, `inconclusive: ${unreachedReason(worker.stopped ?? '')}`);
  else await reportTest(info, ran);
}
