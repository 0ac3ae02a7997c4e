import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Inconclusive } from '../../check/failures.ts';
import { guardedDriver } from './guard.ts';

const INTERRUPTED = 'page.goto: Navigation to "/order" is interrupted by another navigation to "/label"';
const NONE = { labelUrl: null, trackingCode: null, errorMessage: null };

/** A driver whose functions are interrupted so many times before they do what they should. */
function interrupted(times: number) {
  const calls: string[] = [];
  const called = (name: string, value: unknown) => async () => {
    calls.push(name);
    if (calls.length <= times) throw new Error(INTERRUPTED);
    return value;
  };
  const members = { labelOf: called('labelOf', NONE), pressPrintLabel: called('pressPrintLabel', undefined) };
  return { calls, driver: guardedDriver(members, ['labelOf', 'pressPrintLabel'], 'driver.ts') };
}
const PAGE = undefined as never;

test('a look that a page still on its way interrupts is taken again, a few times', async () => {
  const { calls, driver } = interrupted(2);
  assert.deepEqual(await driver.labelOf!(PAGE, 'order'), NONE);
  assert.equal(calls.length, 3);

  const stuck = interrupted(99);
  await assert.rejects(async () => stuck.driver.labelOf!(PAGE, 'order'), /interrupted/);
  assert.equal(stuck.calls.length, 4);
});

test('a button is not pressed again', async () => {
  const { calls, driver } = interrupted(1);
  await assert.rejects(async () => driver.pressPrintLabel!(PAGE), /interrupted/);
  assert.equal(calls.length, 1);
});

test('what a driver throws or returns wrongly is inconclusive, and names the function', async () => {
  const members = { labelOf: async () => 'x', hasPrintLabel: () => Promise.reject(new Error('no such order')) };
  const driver = guardedDriver(members, ['labelOf', 'hasPrintLabel'], 'driver.ts');
  for (const call of [async () => driver.labelOf!(PAGE, 'o'), async () => driver.hasPrintLabel!(PAGE)]) {
    await assert.rejects(call, (error) => error instanceof Inconclusive && /labelOf|hasPrintLabel/.test(error.message));
  }
});

describe('a function that does not end', () => {
  /** Functions that end when `ends` says so. */
  const hanging = (ends: () => boolean) => {
    const calls: string[] = [];
    const called = (name: string, value: unknown) => () => {
      calls.push(name);
      return ends() ? value : new Promise(() => {});
    };
    const members = { labelOf: called('labelOf', NONE), hasPrintLabel: called('hasPrintLabel', true) };
    return { calls, driver: guardedDriver(members, ['labelOf', 'hasPrintLabel'], 'driver.ts', 180_000) };
  };
  /** What a call says of itself once so much time is over; undefined while it is waited for. */
  async function saidAfter(t: TestContext, call: () => Promise<unknown>, ms: number): Promise<string | undefined> {
    let said: string | undefined;
    call().then(
      () => (said = 'ended'),
      (error: Error) => (said = error.message),
    );
    await setImmediate();
    t.mock.timers.tick(ms);
    await setImmediate();
    return said;
  }

  test('is given less time, and at last not called again', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { calls, driver } = hanging(() => false);
    const labelOf = async () => driver.labelOf!(PAGE, 'o');
    assert.match((await saidAfter(t, labelOf, 180_000)) ?? '', /labelOf\(\) did not end within 180 s/);
    assert.match((await saidAfter(t, labelOf, 30_000)) ?? '', /did not end within 30 s/);
    assert.match((await saidAfter(t, labelOf, 30_000)) ?? '', /did not end within 30 s/);
    assert.match((await saidAfter(t, labelOf, 0)) ?? '', /is not called again, because 3 calls in a row did not end/);
    assert.equal(calls.length, 3);
    // Another function may still work.
    assert.equal(await saidAfter(t, async () => driver.hasPrintLabel!(PAGE), 100_000), undefined);
  });

  test('is given all its time again once it has ended', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let ends = false;
    const { driver } = hanging(() => ends);
    const labelOf = async () => driver.labelOf!(PAGE, 'o');
    assert.match((await saidAfter(t, labelOf, 180_000)) ?? '', /180 s/);
    ends = true;
    assert.equal(await saidAfter(t, labelOf, 0), 'ended');
    ends = false;
    assert.equal(await saidAfter(t, labelOf, 179_000), undefined);
  });
});

/** A wish for an order, with nothing to enter. */
const ORDER = {
  ...{ apiKey: 'k', handle: 'h' },
  buyer: { firstName: '', lastName: '', company: '', email: '', phone: '', street: '', city: '' },
};

test('what an order is known to hold is taken under the names of fields that are compared', async () => {
  const opened = (labelFields: unknown) =>
    guardedDriver({ openOrder: () => ({ orderUuid: 'o', labelFields }) }, ['openOrder'], 'driver.ts').openOrder!(
      PAGE,
      ORDER,
    );
  const known = { shipping_street: 'Main street 7', buyer_zip: undefined, weight: '1500' };
  assert.deepEqual(await opened(known), { orderUuid: 'o', labelFields: known });
  for (const wrong of [{ street: 'Main street 7' }, { shipping_zip: 1010 }, 'Main street 7', null])
    await assert.rejects(
      opened(wrong),
      (error) => error instanceof Inconclusive && /openOrder\(\) must return .*labelFields/.test(error.message),
    );
});
