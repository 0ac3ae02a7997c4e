import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../../../harness/check/check.ts';
import { runInProcess } from '../../../../harness/runner/in-process.ts';
import { parseProfile } from '../../../../harness/target/profile/index.ts';
import { profileOf } from '../../../../mock/profile.ts';
import { createService } from '../../../../mock/service.ts';
import { OWN_METHODS } from '../options.ts';
import { tryMethod } from './create-method.ts';

const TITLE = 'Words without a mark';

/**
 * Makes a method without any mark on a service that returns no handle, while another client makes one with another title: whether it was
 * found, and the titles that are left.
 */
async function made(foreignTitle: string): Promise<{ verdict: string | undefined; left: unknown[] }> {
  const service = createService({ origin: 'http://127.0.0.1:9' });
  const seeded = service.state.methods.all().map(({ handle }) => handle);
  const authorization = `ApiKey ${service.state.websites.all()[0]!.apiKey}`;
  const add = (title: string): Promise<Response> => {
    const body = JSON.stringify({ delivery_method: { title } });
    const headers = { authorization, 'content-type': 'application/json' };
    return service.fetch(
      new Request('http://127.0.0.1:9/v1/store/delivery_method/', { method: 'POST', headers, body }),
    );
  };
  const transport = async (request: Request): Promise<Response> => {
    const response = await service.fetch(request);
    if (request.method !== 'POST') return response;
    await add(foreignTitle);
    return Response.json({ error: false });
  };
  const one = check('delivery.method.of-test', 'MUST be found', { ...OWN_METHODS, clauses: [] }, async (context) => {
    const { method } = await tryMethod(context, context.delivery, { reference: undefined, title: TITLE });
    context.expect.that(method !== undefined, 'it must be found');
  });
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: '.', env: {} });
  const suites = [{ name: 'delivery/method', serialGroup: '', checks: [one] }];
  const [result] = await runInProcess(suites, { profile, transport, instantPauses: true });
  const left = service.state.methods.all().filter(({ handle }) => !seeded.includes(handle));
  service.close();
  return { verdict: result?.verdict, left: left.map(({ title }) => title) };
}

test('a method without a mark is known by its title as the new one, and a foreign one beside it stays', async () => {
  assert.deepEqual(await made('Of another client'), { verdict: 'pass', left: ['Of another client'] });
});

test('of two new methods with one title none is taken for the own one', async () => {
  const { verdict, left } = await made(TITLE);
  assert.equal(verdict, 'inconclusive');
  assert.ok(left.length >= 2);
});

test('a method that was there before is not deleted, though a create returned its handle', async () => {
  const service = createService({ origin: 'http://127.0.0.1:9' });
  const seeded = service.state.methods.all();
  const handle = seeded[0]?.handle ?? '';
  const reference = seeded[0]?.reference ?? '';
  const transport = async (request: Request): Promise<Response> =>
    request.method === 'POST' ? Response.json({ error: false, handle }) : service.fetch(request);
  const one = check('delivery.method.of-test', 'MUST be new', { ...OWN_METHODS, clauses: [] }, async (context) => {
    await tryMethod(context, context.delivery, { reference, title: TITLE });
    context.expect.that(true, 'it must be new');
  });
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: '.', env: {} });
  const suites = [{ name: 'delivery/method', serialGroup: '', checks: [one] }];
  const [result] = await runInProcess(suites, { profile, transport, instantPauses: true });
  assert.match(result?.reason ?? '', /returned the handle of a method that was there before/);
  assert.deepEqual(
    service.state.methods.all().map((method) => method.handle),
    seeded.map((method) => method.handle),
  );
  service.close();
});
