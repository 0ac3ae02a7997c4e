import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { CheckResult } from '../../contracts/run/events.ts';
import { check } from '../check/check.ts';
import type { Context } from '../check/context.ts';
import { GivenFailure, Inconclusive } from '../check/failures.ts';
import { type InProcessOptions, runInProcess } from '../runner/in-process.ts';
import { parseProfile } from '../target/profile/index.ts';
import { forAll, forAllSequences, SHRINKING_REQUESTS } from './index.ts';

const PROFILE = {
  name: 'stub',
  v1: 'http://127.0.0.1:9/v1/',
  delivery: { private: { apiKey: 'key-of-the-store' } },
  allow: ['write'],
};

type Options = Partial<Omit<InProcessOptions, 'profile'>>;

/** Runs one property against a stub that answers each request with success, and counts them. */
async function run(body: (context: Context) => Promise<void>, options: Options = {}) {
  let requests = 0;
  const transport = async (): Promise<Response> => {
    requests += 1;
    return Response.json({ error: false });
  };
  const one = check(
    'properties.of-test',
    'MUST hold',
    { clauses: ['a.b', 'a.c'], needs: [], effects: 'write', part: 'delivery' },
    body,
  );
  const profile = parseProfile(JSON.stringify(PROFILE), { file: 'stub', folder: '.', env: {} });
  const suites = [{ name: 'properties', serialGroup: 'properties', checks: [one] }];
  const [result] = await runInProcess(suites, { profile, transport, propertyRuns: 30, ...options });
  return { result: result as CheckResult, requests };
}

const ask = (context: Context, path: string) => context.send(context.delivery.call('GET', path));

/** Fails for whatever is 17 or more. */
const lessThan17 = (context: Context) =>
  forAll(context, { requestsPerRun: 2 }, [fc.nat({ max: 1_000 }), fc.string()], async (one, number) => {
    const response = await ask(one.context, `store/${number}/`);
    one.context.expect.that(number < 17, 'a number must be less than 17', {
      expected: 'less than 17',
      actual: number,
      response,
      clauses: ['a.c'],
    });
  });

/** `add`, `take` and a counter that forgets the second take. */
class Step implements fc.AsyncCommand<{ count: number; taken: number }, Context> {
  readonly what: string;
  readonly log: (words: string) => void;
  constructor(what: string, log: (words: string) => void) {
    this.what = what;
    this.log = log;
  }
  check(model: Readonly<{ count: number }>): boolean {
    return this.what !== 'take' || model.count > 0;
  }
  toString(): string {
    return this.what;
  }
  async run(model: { count: number; taken: number }, context: Context): Promise<void> {
    this.log(this.what);
    await ask(context, `store/${this.what}/`);
    if (this.what === 'add') model.count += 1;
    if (this.what === 'take') {
      model.count -= 1;
      model.taken += 1;
    }
  }
}

const atMostOneTake = (context: Context) => {
  let log = (_words: string): void => undefined;
  const commands = ['add', 'take', 'look'].map((what) => fc.constant(new Step(what, (words) => log(words))));
  return forAllSequences(context, { requestsPerRun: 20, maxCommands: 20, commands }, async (one, play) => {
    log = one.step;
    const model = { count: 0, taken: 0 };
    await play(model, one.context);
    one.context.expect.that(model.taken < 2, 'a second take must count', { expected: 2, actual: 1 });
  });
};

describe('kept cases', () => {
  const kept = (...all: readonly number[]) =>
    all.map((number) => ({ property: 'properties.of-test', file: `${number}.json`, case: { values: [number, ''] } }));
  /** Refuses a number of 100 or more, as a service may. */
  const upTo100 = (context: Context) =>
    forAll(context, { requestsPerRun: 2 }, [fc.nat({ max: 50 }), fc.string()], async (one, number) => {
      if (number >= 100) throw new GivenFailure('a number was refused', 'a.b', {}, 'refusal');
      await ask(one.context, `store/${number}/`);
      one.context.expect.that(number !== 60, 'a number must not be 60', { clauses: ['a.c'] });
    });

  test('that the target refuses end neither the other ones nor the search', async () => {
    const { result, requests } = await run(upTo100, { vectors: kept(100, 7) });
    assert.equal(result.verdict, 'pass', result.reason);
    assert.ok(requests > 20, `${requests} requests`);
    const broken = await run(upTo100, { vectors: kept(100, 60) });
    assert.equal(broken.result.verdict, 'fail', broken.result.reason);
  });

  test('take no further step after so many requests', async () => {
    const many = (context: Context) =>
      forAll(context, { requestsPerRun: 2 }, [fc.nat({ max: 50 }), fc.string()], async (one, steps) => {
        for (let step = 0; step < steps; step += 1) {
          one.step(`step ${step}`);
          for (let n = 0; n < 500; n += 1) await ask(one.context, `store/${n}/`);
          one.context.expect.that(true, 'nothing is wrong');
        }
      });
    const { result, requests } = await run(many, { vectors: kept(20), propertyRuns: 0 });
    assert.equal(result.verdict, 'pass', result.reason);
    assert.equal(requests, 3_000);
  });

  test('that are all refused leave the property undecided where they are all that was asked', async () => {
    const { result } = await run(upTo100, { vectors: kept(100), propertyRuns: 0 });
    assert.equal(result.verdict, 'inconclusive', result.reason);
    assert.match(result.reason ?? '', /refused/);
  });
});

describe('a property that holds', () => {
  test('runs as often as it is asked to, and passes', async () => {
    const { result, requests } = await run((context) =>
      forAll(context, { requestsPerRun: 1 }, [fc.nat()], async ({ context: own }) => {
        own.expect.accepted(await ask(own, 'store/'), 'must be served');
      }),
    );
    assert.equal(result.verdict, 'pass');
    assert.equal(requests, 30);
    assert.equal(result.seed, 1);
    assert.equal(result.exchanges.length, 30);
  });

  test('stops when its requests are used up', async () => {
    const { result, requests } = await run((context) =>
      forAll(context, { requestsPerRun: 2 }, [fc.nat()], async ({ context: own }) => {
        for (let n = 0; n < 10; n += 1) own.expect.accepted(await ask(own, 'store/'), 'must be served');
      }),
    );
    assert.equal(result.verdict, 'pass');
    assert.equal(requests, 60);
  });

  test('ends before its next step when the requests of a limited target are used up', async () => {
    const { result, requests } = await run(
      (context) =>
        forAll(context, { requestsPerRun: 50 }, [fc.nat()], async ({ context: own, step }) => {
          for (let n = 0; n < 40; n += 1) {
            step('ask');
            own.expect.accepted(await ask(own, 'store/'), 'must be served');
          }
        }),
      { propertyRequests: 25 },
    );
    assert.equal(result.verdict, 'pass');
    assert.equal(requests, 25);
  });

  test('is not applicable where properties are off, and says how to turn them on', async () => {
    const { result, requests } = await run(lessThan17, { propertyRuns: 0 });
    assert.deepEqual([result.verdict, requests], ['not-applicable', 0]);
    assert.match(result.reason ?? '', /--runs N/);
  });

  test('that asserted nothing is an error', async () => {
    const { result } = await run((context) =>
      forAll(context, { requestsPerRun: 1 }, [fc.nat()], async () => undefined),
    );
    assert.equal(result.verdict, 'error');
  });

  test('whose every case was refused is not decided, although a refusal decides nothing', async () => {
    const { result } = await run((context) =>
      forAll(context, { requestsPerRun: 1 }, [fc.nat()], async ({ context: own, unlessRefused }) =>
        unlessRefused(async () => own.given.granted(false, 'a.c', 'the owner is refused')),
      ),
    );
    assert.equal(result.verdict, 'inconclusive');
    assert.match(result.reason ?? '', /rests on a\.c: the owner is refused/);
  });

  test('passes where some cases were refused and the others hold', async () => {
    const { result } = await run((context) =>
      forAll(context, { requestsPerRun: 1 }, [fc.boolean()], async ({ context: own, unlessRefused }, isRefused) =>
        unlessRefused(async () => {
          own.given.granted(!isRefused, 'a.c', 'the owner is refused');
          own.expect.accepted(await ask(own, 'store/'), 'must be served');
        }),
      ),
    );
    assert.equal(result.verdict, 'pass');
  });
});

describe('a property that does not hold', () => {
  test('fails with the smallest case, the clause, and what repeats it', async () => {
    const { result } = await run(lessThan17);
    assert.equal(result.verdict, 'fail');
    assert.deepEqual(result.clauses, ['a.c']);
    assert.deepEqual(result.expected, { with: [17, ''], result: 'less than 17' });
    assert.deepEqual(result.actual, { with: [17, ''], result: 17 });
    assert.match(result.curl ?? '', /^curl .*\/v1\/store\/17\/' .*"\$DELIVERY_PRIVATE_API_KEY"$/);
    assert.ok(
      result.reason?.includes(`: proofmark run --only properties.of-test --seed 1 --replay ${result.replay} (`),
      result.reason,
    );
    assert.equal(result.exchanges.length, 1, 'only the exchanges of the case itself');
  });

  test('is repeated by seed and path alone', async () => {
    const { result } = await run(lessThan17, { seed: 7 });
    const again = await run(lessThan17, { seed: 7, propertyRuns: 0, replay: { path: result.replay ?? '' } });
    assert.equal(again.requests, 1);
    assert.deepEqual(again.result.expected, result.expected);
    assert.equal(again.result.replay, result.replay);
  });

  test('that is fixed passes when it is repeated', async () => {
    const { result } = await run(lessThan17, { seed: 7 });
    const holds = (context: Context) =>
      forAll(context, { requestsPerRun: 2 }, [fc.nat({ max: 1_000 }), fc.string()], async (one) => {
        one.context.expect.accepted(await ask(one.context, 'store/'), 'must be served');
      });
    const again = await run(holds, { seed: 7, replay: { path: result.replay ?? '' } });
    assert.deepEqual([again.result.verdict, again.requests], ['pass', 1]);
  });

  test('is shrunk within its budget', async () => {
    const { result, requests } = await run((context) =>
      forAll(context, { requestsPerRun: 100 }, [fc.bigInt({ min: 0n, max: 2n ** 4000n })], async (one, value) => {
        for (let n = 0; n < 100; n += 1) await ask(one.context, 'store/');
        one.context.expect.that(value % 3n === 1n, 'a remainder');
      }),
    );
    assert.equal(result.verdict, 'fail');
    assert.ok(requests <= 30 * 100 + SHRINKING_REQUESTS + 100, `${requests} requests`);
  });

  test('leaves out every command that is not needed, the last one too', async () => {
    const { result } = await run(atMostOneTake);
    assert.equal(result.verdict, 'fail');
    assert.deepEqual((result.expected as { with: string[] }).with.toSorted(), ['add', 'add', 'take', 'take']);
  });

  test('of commands is repeated by seed, path and replay path', async () => {
    const { result } = await run(atMostOneTake, { seed: 3 });
    const [path = '', replayPath = ''] = (result.replay ?? '').split('@');
    assert.notEqual(replayPath, '');
    const again = await run(atMostOneTake, { seed: 3, replay: { path, replayPath } });
    assert.deepEqual(again.result.expected, result.expected);
    assert.equal(again.result.replay, result.replay);
  });

  test('names the target that the run was for', async () => {
    const { result } = await run(lessThan17, { target: 'my target.json' });
    assert.match(result.reason ?? '', /proofmark run --target 'my target\.json' --only properties\.of-test --seed 1/);
  });
});

describe('whatever else ends a run', () => {
  const ending = (thrown: () => unknown) => (context: Context) =>
    forAll(context, { requestsPerRun: 5 }, [fc.nat({ max: 1_000 })], async ({ context: own }, number) => {
      own.expect.accepted(await ask(own, 'store/'), 'must be served');
      if (number > 3) throw thrown();
    });

  test('a failed precondition leaves the property undecided, and is not shrunk', async () => {
    const { result, requests } = await run(ending(() => new GivenFailure('it is not there', 'x.y')));
    assert.deepEqual([result.verdict, result.because], ['inconclusive', 'x.y']);
    assert.ok(requests < 10, `${requests} requests`);
  });

  test('so does what has to be configured, and a missing answer', async () => {
    const { result } = await run(ending(() => new Inconclusive('add a key', 'configuration')));
    assert.deepEqual(
      [result.verdict, result.attribution, result.reason],
      ['inconclusive', 'configuration', 'add a key'],
    );
    const dead = await run(lessThan17, {
      transport: async () => {
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      },
    });
    assert.equal(dead.result.verdict, 'inconclusive');
  });

  describe('a gateway that responds for the target within a case', () => {
    // Not a reading, which the client sends again.
    const post = (context: Context) => context.send(context.delivery.call('POST', 'store/'));
    const isServed = (context: Context) =>
      forAll(context, { requestsPerRun: 2 }, [fc.constant(1)], async ({ context: own }) => {
        const { status } = await post(own);
        own.expect.that(status === 200, 'what was sent must be there');
      });
    /** Responds as a gateway to some of the requests, numbered from 0, and counts all. */
    const awayAt = async (
      isAway: (n: number) => boolean,
      property: (context: Context) => Promise<void>,
      options: Options = {},
    ) => {
      let requests = 0;
      const transport = async (): Promise<Response> => {
        requests += 1;
        return isAway(requests - 1) ? new Response('Too late', { status: 504 }) : Response.json({ error: false });
      };
      return { ...(await run(property, { ...options, transport })), requests };
    };

    for (const times of [1, 2])
      test(`leaves the property undecided where attempt ${times + 1} at the case holds`, async () => {
        const { result, requests } = await awayAt((n) => n % (times + 1) < times, isServed);
        assert.deepEqual([result.verdict, result.attribution], ['inconclusive', 'network']);
        assert.match(result.reason ?? '', /away in the middle .*what was sent must be there/);
        // The check as a whole runs three times.
        assert.equal(requests, 3 * (times + 1));
      });

    test('decides nothing where the check as a whole does not meet it again', async () => {
      const { result } = await awayAt((n) => n === 0, isServed);
      assert.equal(result.verdict, 'pass');
    });

    test('hides no fault of a service that refuses with such a status', async () => {
      const { result, requests } = await awayAt(() => true, isServed);
      assert.deepEqual([result.verdict, requests], ['fail', 3]);
      assert.match(result.reason ?? '', /what was sent must be there/);
    });

    test('hides no fault that shows without it, too', async () => {
      const never = (context: Context) =>
        forAll(context, { requestsPerRun: 2 }, [fc.constant(1)], async ({ context: own }) => {
          await post(own);
          own.expect.that(false, 'never right');
        });
      const { result, requests } = await awayAt((n) => n === 0, never);
      assert.deepEqual([result.verdict, requests], ['fail', 2]);
    });

    test('does so also where the requests of a limited target are used up by then', async () => {
      const steps = (context: Context) =>
        forAll(context, { requestsPerRun: 2 }, [fc.constant(1)], async ({ context: own, step }) => {
          for (const what of ['first', 'second']) {
            step(what);
            const { status } = await post(own);
            own.expect.that(what === 'first' || status === 200, 'what was sent must be there');
          }
        });
      const { result } = await awayAt(() => true, steps, { propertyRequests: 2 });
      assert.equal(result.verdict, 'fail');
    });
  });

  test('an error of ours is an error', async () => {
    const { result } = await run(ending(() => new TypeError('x is not a function')));
    assert.equal(result.verdict, 'error');
  });

  test('a smaller case that can not be decided is not a counterexample', async () => {
    const { result } = await run(
      (context) =>
        forAll(context, { requestsPerRun: 2 }, [fc.nat({ max: 1_000 })], async ({ context: own }, number) => {
          await ask(own, 'store/');
          if (number < 500) throw new GivenFailure('too small to say', 'x.y');
          own.expect.that(false, 'never right');
        }),
      { seed: 2 },
    );
    if (result.verdict === 'fail') assert.ok(Number((result.expected as { with: number[] }).with[0]) >= 500);
    else assert.equal(result.because, 'x.y');
  });

  test('a path of another property is said to be one', async () => {
    const { result } = await run(atMostOneTake, { replay: { path: '3:1:1:1:1', replayPath: 'AAAA:Z' } });
    assert.deepEqual([result.verdict, result.attribution], ['inconclusive', 'configuration']);
    assert.match(result.reason ?? '', /--seed and --only/);
  });
});
