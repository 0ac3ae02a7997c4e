// A sample of faults through the whole of `precheck delivery`, in this process; every example is run beside the examples.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Browser } from '@playwright/test';
import { type Example, examples } from '../../../examples/integrators/index.ts';
import LabelPage, { type Fields, type Order } from '../../../examples/integrators/label/correct.ts';
import { reportedByServer } from '../../../examples/integrators/label/reported-by-server.ts';
import { page, serveLocally } from '../../../examples/integrators/support/http.ts';
import { launchQuietly } from '../../../harness/browser/launch.ts';
import { DELIVERY_CHECKS } from '../../../suites/provider/index.ts';
import { findBrowser } from '../../common/browser.ts';
import { folderFor } from '../../common/command.fixture.ts';
import { precheckExample } from '../examples/run.ts';
import { clausesInScope } from '../scope.ts';
import { precheckDelivery } from './index.ts';

const API_KEY = 'Key-4f1A9c77e0B2d6';
const browser = await findBrowser();

/** The verdicts of the checks whose ids match, by check. */
async function verdictsOf(
  id: string,
  only: RegExp,
  options: { readonly browser?: boolean; readonly isPrivate?: true } = {},
): Promise<Map<string, string>> {
  const example = (await examples()).find((one) => one.id === id);
  assert.ok(example, `there is no example ${id}`);
  const open = options.browser === true && browser !== undefined ? await launchQuietly(browser.path) : undefined;
  try {
    const selected = DELIVERY_CHECKS.map((check) => check.id).filter((name) => only.test(name));
    const { browser: _, ...run } = options;
    const { results } = await precheckExample(example, open, { ...run, selected });
    return new Map(results.map((result) => [result.id, result.verdict]));
  } finally {
    await open?.close();
  }
}

/** A precheck of a correct page during which the first browsers come to an end when a label is asked for. */
async function inLostBrowsers(lost: number): Promise<{ started: number; results: readonly (string | undefined)[] }> {
  const browsers: Browser[] = [];
  class Untimely extends LabelPage {
    override async printLabel(fields: Fields): Promise<Response> {
      if (browsers.length <= lost) await browsers.at(-1)?.close();
      return super.printLabel(fields);
    }
  }
  const served = await serveLocally(0, (origin) => {
    const page = new Untimely({ origin, base: 'http://127.0.0.1:1/v1/', apiKey: API_KEY, appSecret: '', tabMode: '' });
    return (request) => page.respond(request);
  });
  try {
    const { results } = await precheckDelivery({
      manifest: `${served.origin}/manifest.json`,
      labelUrl: `${served.origin}/label`,
      apiKey: API_KEY,
      selected: ['provider.label.sends-callback'],
      launchBrowser: async () => {
        const started = await launchQuietly(browser?.path ?? '');
        browsers.push(started);
        return started;
      },
    });
    return { started: browsers.length, results: results.flatMap(({ verdict, attribution }) => [verdict, attribution]) };
  } finally {
    await served.close();
  }
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

  test('each clause in scope that can be judged is broken by an example, or by an address', async (t) => {
    const broken = new Set((await examples()).flatMap(({ kind, clauses }) => (kind === 'label' ? clauses : [])));
    const unproved = clausesInScope('delivery').filter(({ id, excluded }) => excluded === undefined && !broken.has(id));
    assert.deepEqual(
      unproved.map(({ id }) => id),
      ['provider.checkout.https'],
    );
    const manifest = join(folderFor(t), 'manifest.json');
    writeFileSync(manifest, '{}');
    const { results } = await precheckDelivery({
      manifest,
      labelUrl: 'http://labels.example/label',
      checkoutUrl: 'http://labels.example/checkout',
      selected: ['provider.label.https', 'provider.checkout.https'],
    });
    assert.deepEqual(
      results.map(({ verdict }) => verdict),
      ['fail', 'fail'],
    );
  });

  test('a fault of the manifest fails its own check', async () => {
    assert.deepEqual(failed(await verdictsOf('label.manifest.field-without-id', /^provider\.manifest/)), [
      'provider.manifest.data-field-id',
    ]);
  });

  test('a private integration has no manifest, and is judged with the key and the orders of one store', {
    skip: browser === undefined && 'there is no browser here',
  }, async () => {
    const isPrivate = true;
    const uploads = await verdictsOf('label.upload.final-portion-not-final', /^provider\.(calls|manifest)/, {
      isPrivate,
    });
    assert.deepEqual(failed(uploads), ['provider.calls.last-portion-finalizes']);
    assert.equal(uploads.get('provider.manifest.app-type'), 'not-applicable');
    const only = /^provider\.(label\.(sends-callback|own-order)|callback\.signed|refusals\.unsigned)/;
    const page = await verdictsOf('label.request.unchecked', only, { browser: true, isPrivate });
    assert.deepEqual(failed(page), ['provider.refusals.unsigned']);
    assert.equal(page.get('provider.callback.signed'), 'pass');
    assert.equal(page.get('provider.label.own-order'), 'pass');
  });

  test('a page that shows the label of another order does not wait for a person', {
    skip: browser === undefined && 'there is no browser here',
  }, async () => {
    const only = /^provider\.label\.(sends-callback|every-order)$/;
    const kept = await verdictsOf('label.orders.first-result-for-all', only, { browser: true });
    assert.deepEqual(failed(kept), ['provider.label.every-order']);
    const shown = await verdictsOf('label.variant.latest-label-shown', only, { browser: true });
    assert.deepEqual(new Set(shown.values()), new Set(['pass']));
  });

  test('an upload that is never finished fails its own check', async () => {
    const verdicts = await verdictsOf('label.upload.final-portion-not-final', /^provider\.calls/);
    assert.deepEqual(failed(verdicts), ['provider.calls.last-portion-finalizes']);
    assert.equal(verdicts.get('provider.calls.portion-size'), 'pass');
  });

  test('without a browser nothing is said about pages', async () => {
    const verdicts = await verdictsOf('label.request.unchecked', /^provider\.(label\.sends-callback|refusals)/);
    assert.deepEqual(new Set(verdicts.values()), new Set(['inconclusive']));
  });

  test('a page that leads nowhere is at fault; one that is down is a matter of the network', {
    skip: browser === undefined && 'there is no browser here',
  }, async (t) => {
    const only = /^provider\.(label\.sends-callback|callback\.signed)/;
    assert.deepEqual(
      [...(await verdictsOf('label.hostile.redirect-loop', only, { browser: true })).values()],
      ['fail', 'inconclusive'],
    );
    const manifest = join(folderFor(t), 'manifest.json');
    writeFileSync(manifest, '{}');
    const { results } = await precheckDelivery({
      manifest,
      labelUrl: 'http://127.0.0.1:1/label',
      waitMs: 0,
      selected: ['provider.label.sends-callback'],
      ...(browser === undefined ? {} : { launchBrowser: () => launchQuietly(browser.path) }),
    });
    assert.deepEqual(
      results.map(({ verdict, attribution }) => [verdict, attribution]),
      [['inconclusive', 'network']],
    );
  });

  test('a browser that is lost is started again, and no party is blamed', {
    skip: browser === undefined && 'there is no browser here',
  }, async () => {
    const { results, started } = await inLostBrowsers(1);
    assert.deepEqual(results, ['pass', undefined]);
    assert.equal(started, 2);
    assert.deepEqual((await inLostBrowsers(9)).results, ['inconclusive', 'harness']);
  });

  test('labels of different orders at one address are warned of, and a header of a label is searched for the key', {
    skip: browser === undefined && 'there is no browser here',
  }, async () => {
    class ThreeForAll extends LabelPage {
      made = 0;
      override makeLabel(order: Order, customer: string): string {
        this.made += 1;
        const [id, shared] = [super.makeLabel(order, customer), `for-${this.made % 3}`];
        this.labels.set(shared, this.labels.get(id)!);
        return shared;
      }
    }
    const shown = async (make: Example['make'], check: string): Promise<string | undefined> => {
      const open = await launchQuietly(browser?.path ?? '');
      const { results } = await precheckExample({ kind: 'label', make }, open, {
        selected: ['provider.label.is-pdf', check],
      });
      await open.close();
      return results.find(({ id }) => id === check)?.verdict;
    };
    const same = 'provider.label.same-file-observed';
    assert.equal(await shown((settings) => new ThreeForAll(settings), same), 'warn');
    assert.equal(await shown((settings) => new LabelPage(settings), same), 'observed');
    const leaking = (await examples()).find(({ id }) => id === 'label.leaks.key-in-label-header')!;
    // A clause of the level SHOULD.
    assert.equal(await shown(leaking.make, 'provider.leaks.key'), 'warn');
  });

  test('a page that shows that its report was refused has taken the fields that it does not know', {
    skip: browser === undefined && 'there is no browser here',
  }, async () => {
    class SignsWrongly extends LabelPage {
      override signed = (parameters: Fields): Fields => [...parameters, ['signature', this.signature('')]];
      override report = (order: Order, parameters: Fields): Promise<Response> =>
        reportedByServer(this.callback(order, parameters), () => page('The label is printed', ''));
    }
    const open = await launchQuietly(browser?.path ?? '');
    const selected = ['provider.callback.signature', 'provider.label.unknown-fields'];
    const make: Example['make'] = (settings) => new SignsWrongly(settings);
    const { results } = await precheckExample({ kind: 'label', make }, open, { selected });
    await open.close();
    assert.deepEqual(Object.fromEntries(results.map(({ id, verdict }) => [id, verdict])), {
      'provider.callback.signature': 'fail',
      'provider.label.unknown-fields': 'pass',
    });
  });

  test('a page that ignores the signature is found by what it prints', {
    skip: browser === undefined && 'there is no browser here',
  }, async () => {
    const only = /^provider\.(label\.sends-callback|callback|refusals\.(unsigned|other-key))/;
    assert.deepEqual(failed(await verdictsOf('label.request.unchecked', only, { browser: true })), [
      'provider.refusals.unsigned',
      'provider.refusals.other-key',
    ]);
  });
});
