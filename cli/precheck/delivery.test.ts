// A sample of faults through the whole of `precheck delivery`, in this process; every example is run beside the examples.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, test } from 'node:test';
import { launchQuietly } from '../../harness/launch.ts';
import { DELIVERY_CHECKS } from '../../suites/integrator/delivery/index.ts';
import { examples } from '../../suites/integrator/examples/index.ts';
import { serveHere } from '../../suites/integrator/examples/kit/http.ts';
import { findBrowser } from '../browser.ts';
import { precheckDelivery } from './delivery.ts';
import { clausesInScope } from './scope.ts';

const API_KEY = 'Key-4f1A9c77e0B2d6';
/** An upload of an example begins when its service is there, and takes a moment. */
const UPLOAD_MS = 2_500;
const browser = await findBrowser();

/** The verdicts of the checks whose ids match, by check. */
async function verdictsOf(
  id: string,
  only: RegExp,
  options: { readonly browser?: boolean } = {},
): Promise<Map<string, string>> {
  const example = (await examples()).find((one) => one.id === id);
  assert.ok(example, `there is no example ${id}`);
  const port = await freePort();
  const served = await serveHere(0, (origin) => {
    const settings = { origin, base: `http://127.0.0.1:${port}/v1/`, apiKey: API_KEY, appSecret: '', tabMode: 'blank' };
    const page = new example.make(settings) as { answer(request: Request): Promise<Response>; start?(): void };
    page.start?.();
    return (request) => page.answer(request);
  });
  try {
    const { results } = await precheckDelivery({
      manifest: `${served.origin}/manifest.json`,
      labelUrl: `${served.origin}/label`,
      apiKey: API_KEY,
      port,
      waitMs: 20_000,
      selected: DELIVERY_CHECKS.map((check) => check.id).filter((name) => only.test(name)),
      ...(options.browser === true && browser !== undefined
        ? { launchBrowser: () => launchQuietly(browser.path) }
        : {}),
      ...(id.startsWith('label.upload.')
        ? { hold: () => new Promise<void>((resolve) => setTimeout(resolve, UPLOAD_MS)) }
        : {}),
    });
    return new Map(results.map((result) => [result.id, result.verdict]));
  } finally {
    await served.close();
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

const failed = (verdicts: ReadonlyMap<string, string>): string[] =>
  [...verdicts].filter(([, verdict]) => verdict === 'fail' || verdict === 'error').map(([id]) => id);

describe('precheck delivery', () => {
  test('every clause in scope has a check, or is excluded', () => {
    const open = clausesInScope('delivery').filter(
      ({ id, excluded }) => excluded === undefined && !DELIVERY_CHECKS.some(({ clauses }) => clauses.includes(id)),
    );
    assert.deepEqual(open, []);
  });

  test('a fault of the manifest fails its own check', async () => {
    assert.deepEqual(failed(await verdictsOf('label.manifest.field-without-id', /^provider\.manifest/)), [
      'provider.manifest.data-field-id',
    ]);
  });

  test('an upload that is never finished fails its own check', async () => {
    const verdicts = await verdictsOf('label.upload.last-portion-open', /^provider\.calls/);
    assert.deepEqual(failed(verdicts), ['provider.calls.last-portion-finalizes']);
    assert.equal(verdicts.get('provider.calls.portion-size'), 'pass');
  });

  test('without a browser nothing is said about pages', async () => {
    const verdicts = await verdictsOf('label.request.unchecked', /^provider\.(label\.reports-back|refusals)/);
    assert.deepEqual(new Set(verdicts.values()), new Set(['inconclusive']));
  });

  test('a page that does not look at the signature is found by what it prints', {
    skip: browser === undefined && 'there is no browser here',
  }, async () => {
    const only = /^provider\.(label\.reports-back|callback|refusals\.(unsigned|other-key))/;
    assert.deepEqual(failed(await verdictsOf('label.request.unchecked', only, { browser: true })), [
      'provider.refusals.unsigned',
      'provider.refusals.other-key',
    ]);
  });
});
