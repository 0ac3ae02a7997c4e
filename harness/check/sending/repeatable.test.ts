import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NoResponse } from '../../target/client/no-response.ts';
import type { ServiceResponse } from '../../target/client/types.ts';
import { againIfLost } from './repeatable.ts';

const responseOf = (status: number): ServiceResponse =>
  ({ status, json: { error: status !== 200 }, text: '', header: () => undefined }) as unknown as ServiceResponse;
const lost = (): NoResponse => Object.assign(new NoResponse('lost', 'network'), { isLost: true });

/** A call with these ends, one after the other. */
function callWith(...ends: readonly (ServiceResponse | Error)[]): () => Promise<ServiceResponse> {
  const left = [...ends];
  return async () => {
    const end = left.shift()!;
    if (end instanceof Error) throw end;
    return end;
  };
}

test('a write whose response was lost is sent once more', async () => {
  assert.equal((await againIfLost(callWith(lost(), responseOf(200)))).status, 200);
  await assert.rejects(againIfLost(callWith(lost(), lost(), responseOf(200))), NoResponse);
});

test('a refusal of the second one decides nothing, and other failures are not repeated', async () => {
  await assert.rejects(againIfLost(callWith(lost(), responseOf(409))), /lost/);
  await assert.rejects(againIfLost(callWith(new NoResponse('no host', 'network'), responseOf(200))), /no host/);
  assert.equal((await againIfLost(callWith(responseOf(409)))).status, 409);
});

test('a refusal counts if the first one was not carried out', async () => {
  const refusal = await againIfLost(callWith(lost(), responseOf(422)), async () => false);
  assert.equal(refusal.status, 422);
  await assert.rejects(
    againIfLost(callWith(lost(), responseOf(409)), async () => true),
    /lost/,
  );
});
