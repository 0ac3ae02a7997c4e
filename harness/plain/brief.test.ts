// A brief first try must never decide anything but a pass, and must leave nothing behind.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CheckResult } from '../../contracts/run/events.ts';
import { profileOf } from '../../mock/profile.ts';
import { createService } from '../../mock/service.ts';
import { type Check, check } from '../check/check.ts';
import type { Context } from '../check/context.ts';
import { borrowMethod } from '../resources/methods/borrowed.ts';
import { runInProcess } from '../runner/in-process.ts';
import { parseProfile } from '../target/profile/index.ts';

const OPTIONS = { clauses: [], needs: [], effects: 'write', part: 'delivery' } as const;

const checkOf = (name: string, body: (context: Context) => Promise<void>): Check =>
  check(`a.${name}`, 'MUST be', OPTIONS, body);

const borrow = async (context: Context): Promise<string> => {
  const { method } = await borrowMethod(context, 'store', (given) => given.newMethod(context.delivery));
  return method.handle;
};

/** Runs checks on a service that takes `most` methods; returns their results, and how many methods were made and are left. */
async function run(checks: readonly Check[], isolated = false, most = Infinity) {
  const service = createService({ origin: 'http://127.0.0.1:9' });
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: '.', env: {} });
  const sent: string[] = [];
  const transport = (request: Request): Promise<Response> => {
    const call = `${request.method} ${new URL(request.url).pathname.replace(/dm[0-9a-f]+/, 'H')}`;
    if (call === CREATE && count(sent, CREATE) - count(sent, DELETE) >= most)
      return Promise.resolve(Response.json({ error: true, error_code: 409, error_message: 'Full' }, { status: 409 }));
    sent.push(call);
    return service.fetch(request);
  };
  const suite = { name: 'a', serialGroup: 'delivery', checks };
  const results: CheckResult[] = await runInProcess([suite], { profile, transport, isolated });
  service.close();
  return {
    verdicts: results.map(({ verdict }) => verdict),
    made: count(sent, CREATE),
    removed: count(sent, DELETE),
  };
}

const CREATE = 'POST /v1/store/delivery_method/';
const DELETE = 'DELETE /v1/store/delivery_method/H/';
const count = (sent: readonly string[], call: string): number => sent.filter((one) => one === call).length;

describe('the first try of a check', () => {
  test('works on the method of a check that passed, which is removed in the end', async () => {
    const handles: string[] = [];
    const one = checkOf('one', async (context) => {
      handles.push(await borrow(context));
      context.expect.that(true, 'is');
    });
    const { verdicts, made, removed } = await run([one, { ...one, id: 'a.two' }]);
    assert.deepEqual(verdicts, ['pass', 'pass']);
    assert.equal(handles[0], handles[1]);
    assert.deepEqual([made, removed], [1, 1]);
  });

  test('decides nothing where it does not pass: the second one does, on its own method, which no other check gets', async () => {
    const handles: string[] = [];
    const attempts: boolean[] = [];
    const body = (isKept: (context: Context) => boolean) => async (context: Context) => {
      handles.push(await borrow(context));
      attempts.push(context.explains);
      context.expect.that(isKept(context), 'must be');
    };
    const { verdicts, made, removed } = await run([
      checkOf(
        'briefly-wrong',
        body(({ explains }) => explains),
      ),
      checkOf(
        'wrong',
        body(() => false),
      ),
      checkOf(
        'right',
        body(() => true),
      ),
    ]);
    assert.deepEqual(verdicts, ['pass', 'fail', 'pass']);
    assert.deepEqual(attempts, [false, true, false, true, false]);
    assert.equal(new Set(handles).size, handles.length, 'what a failed attempt has used is not passed on');
    assert.equal(made, removed);
  });

  test('is the only one where nothing was shared or left out', async () => {
    let attempts = 0;
    const { verdicts } = await run([
      checkOf('wrong', async (context) => {
        attempts += 1;
        context.expect.that(false, 'must be');
      }),
    ]);
    assert.deepEqual([verdicts, attempts], [['fail'], 1]);
  });

  test('leaves room: what it has borrowed is deleted where the second one needs it', async () => {
    const wrong = checkOf('wrong', async (context) => {
      await borrow(context);
      context.expect.that(context.explains, 'must be');
    });
    const { verdicts, made, removed } = await run([wrong], false, 1);
    assert.deepEqual([verdicts, made, removed], [['pass'], 2, 2]);
  });

  test('is not brief in an isolated run, where each check makes its own', async () => {
    const explained: boolean[] = [];
    const one = checkOf('one', async (context) => {
      await borrow(context);
      explained.push(context.explains);
      context.expect.that(true, 'is');
    });
    const { made, removed } = await run([one, { ...one, id: 'a.two' }], true);
    assert.deepEqual(explained, [true, true]);
    assert.deepEqual([made, removed], [2, 2]);
  });
});
