/** No output of a precheck contains the key of an integration, even when its page shows it and its callbacks and calls carry it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findBrowser } from '../../cli/common/browser.ts';
import { folderFor, proofmark, resultsIn } from '../../cli/common/command.fixture.ts';
import LabelPage, { type Fields, type Order } from '../../examples/integrators/label/correct.ts';
import { page, serveLocally } from '../../examples/integrators/support/http.ts';
import type { Settings } from '../../examples/integrators/support/settings.ts';
import { openPackage } from '../../harness/evidence/package/read.ts';
import { freePort } from '../../harness/process/free-port.ts';
import { filesBelow, leaksIn, placesOf, tracesAmong } from './canary.ts';

/** With characters that each encoding writes differently. */
const KEY = 'key~of+the/provider=and*"a"<star>&7Qx';

/** A label page that leaks its key wherever it can: in pages, cookies, callbacks, addresses, calls and its manifest. */
class Careless extends LabelPage {
  override manifest(): Record<string, unknown> {
    return { ...super.manifest(), delivery_service_info: `ask with ${this.settings.apiKey}` };
  }

  override success(order: Order, labelId: string): Fields {
    const [id, url, ...tracking] = super.success(order, labelId) as [Fields[0], Fields[0], ...Fields[0][]];
    const key = encodeURIComponent(this.settings.apiKey);
    const { origin } = this.settings;
    const fields = [id, url, ['tracking_url', `${origin}/track/1?key=${key}`] as const, ['key', key] as const];
    // A wrong signature, so that a check of the page fails, whose browser steps are kept as a trace.
    return tracking.length === 0 ? fields : [...fields, ['signature', '0'.repeat(64)]];
  }

  override async report(order: Order, parameters: Fields): Promise<Response> {
    const key = this.settings.apiKey;
    const encoded = [Buffer.from(key).toString('base64'), Buffer.from(key).toString('hex'), JSON.stringify(key)];
    const address = JSON.stringify(this.callback(order, parameters)).replaceAll('<', '\\u003c');
    const script = `const key = ${encoded[2]?.replaceAll('<', '\\u003c')}; location.replace(${address})`;
    const shown = page(`The key is ${key}`, `<!-- ${encoded.join(' ')} --><script>${script}</script>`);
    shown.headers.set('set-cookie', `key=${encodeURIComponent(key)}`);
    shown.headers.set('x-key', encodeURIComponent(encodeURIComponent(key)));
    return shown;
  }

  override async customerNumber(orderUuid: string): Promise<string> {
    await this.call('POST', `store/delivery_method/?key=${encodeURIComponent(this.settings.apiKey)}`, {
      delivery_method: { title: this.settings.apiKey, print_label_url: 'http://labels.example/' },
    });
    return super.customerNumber(orderUuid);
  }
}

test('after a precheck of an integration that leaks its key, no file and no terminal output contains it', async (t) => {
  if ((await findBrowser()) === undefined) return t.skip('there is no browser here');
  const home = folderFor(t);
  const out = join(home, 'out');
  const port = await freePort();
  const served = await serveLocally(0, (origin) => {
    const settings: Settings = {
      origin,
      base: `http://127.0.0.1:${port}/v1/`,
      apiKey: KEY,
      appSecret: '',
      tabMode: '',
    };
    const careless = new Careless(settings);
    return (request) => careless.respond(request);
  });
  t.after(() => served.close());
  const only = [
    'provider.manifest.*',
    'provider.label.sends-callback',
    'provider.callback.signature',
    'provider.calls.*',
    'provider.leaks.*',
  ];
  const ran = await proofmark(
    [
      'precheck',
      'delivery',
      ...['--manifest', `${served.origin}/manifest.json`, '--label-url', `${served.origin}/label`],
      ...['--api-key', KEY, '--port', String(port), '--out', out, '--package', join(home, 'package.zip')],
      ...only.flatMap((id) => ['--only', id]),
    ],
    { cwd: home, env: { TMPDIR: home, HOME: home } },
  );
  assert.equal(ran.code, 1, ran.stderr);
  const verdicts = new Map(resultsIn(out).checks.map(({ id, verdict }) => [id, verdict]));
  // The precheck saw the leaks.
  assert.equal(verdicts.get('provider.leaks.key'), 'warn');
  assert.equal(verdicts.get('provider.manifest.service-info'), 'fail');
  assert.equal(verdicts.get('provider.calls.label-url-https'), 'fail');

  const pack = await openPackage(join(home, 'package.zip'));
  t.after(() => pack.close());
  const files = filesBelow(home);
  assert.ok(tracesAmong(files).length > 0, 'a browser step failed, so a trace of it was kept');
  for (const name of ['report.html', 'events.ndjson', 'results.json', 'package.zip'])
    assert.ok(
      files.some((file) => file.endsWith(name)),
      name,
    );
  const places = placesOf([...files, pack.eventsFile]);
  for (const [name, text] of Object.entries(pack)) places.set(`the package’s ${name}`, JSON.stringify(text) ?? '');
  places.set('the terminal', ran.stdout + ran.stderr);
  assert.deepEqual(leaksIn(places, [KEY]).slice(0, 10), []);
  // It was there before redaction.
  for (const name of ['events.ndjson', 'results.json', 'report.html'])
    assert.match(readFileSync(join(out, name), 'utf8'), /\$API_KEY/, name);
});
