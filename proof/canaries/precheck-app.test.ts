/** No output of a precheck contains the key or the secret of an app, even when its pages show them and its calls carry them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { findBrowser } from '../../cli/common/browser.ts';
import { folderFor, proofmark, resultsIn } from '../../cli/common/command.fixture.ts';
import App from '../../examples/integrators/app/correct.ts';
import { page, serveLocally } from '../../examples/integrators/support/http.ts';
import { freePort } from '../../harness/process/free-port.ts';
import { filesBelow, leaksIn, placesOf, tracesAmong } from './canary.ts';

/** With characters that each encoding writes differently. */
const KEY = 'key~of+the/app=and*"a"<star>&7Qx';
const SECRET = 'secret of the app: 100% "mine" & <nobody’s>';

/** An app that leaks both wherever it can: in pages, cookies, addresses, headers and calls. */
class Careless extends App {
  override setUp(authCode: string): Promise<void> {
    const { apiKey, appSecret } = this.settings;
    const query = new URLSearchParams({ note: appSecret });
    const body = { data: { key: apiKey, secret: Buffer.from(appSecret).toString('base64') } };
    return this.call('POST', `apps/set_data/?${query}`, authCode, body).then(() => undefined);
  }

  override finished(): Response {
    const { apiKey, appSecret } = this.settings;
    const encoded = [apiKey, appSecret].flatMap((secret) => [
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('hex'),
      JSON.stringify(secret),
      encodeURIComponent(secret),
    ]);
    const shown = page(`Installed with ${apiKey}`, `<p>${appSecret}</p><script>/* ${encoded.join(' ')} */</script>`);
    shown.headers.set('set-cookie', `secret=${encodeURIComponent(appSecret)}`);
    shown.headers.set('x-key', encodeURIComponent(encodeURIComponent(apiKey)));
    // So that a check of these pages fails, whose browser steps are kept as a trace.
    return new Response(shown.body, { status: 500, headers: shown.headers });
  }
}

test('after a precheck of an app that leaks its key and secret, no file and no terminal output contains them', async (t) => {
  if ((await findBrowser()) === undefined) return t.skip('there is no browser here');
  const home = folderFor(t);
  const out = join(home, 'out');
  const port = await freePort();
  const served = await serveLocally(0, (origin) => {
    const base = `http://127.0.0.1:${port}/v1/`;
    const careless = new Careless({ origin, base, apiKey: KEY, appSecret: SECRET, tabMode: 'blank' });
    return (request) => careless.respond(request);
  });
  t.after(() => served.close());
  const only = [
    'app.manifest.*',
    'app.install.calls-installed',
    'app.install.shows-page',
    'app.calls.*',
    'app.leaks.*',
  ];
  const ran = await proofmark(
    [
      ...['precheck', 'app', '--manifest', `${served.origin}/manifest.json`, '--api-key', KEY],
      ...['--port', String(port), '--out', out, '--package', join(home, 'package.zip')],
      ...only.flatMap((id) => ['--only', id]),
    ],
    { cwd: home, env: { TMPDIR: home, HOME: home } },
  );
  assert.equal(ran.code, 1, ran.stdout + ran.stderr);
  const verdicts = new Map(resultsIn(out).checks.map(({ id, verdict }) => [id, verdict]));
  // The precheck saw the leaks.
  assert.deepEqual([verdicts.get('app.leaks.key'), verdicts.get('app.leaks.secret')], ['fail', 'fail']);

  const files = filesBelow(home);
  assert.ok(tracesAmong(files).length > 0, 'a browser step failed, so a trace of it was kept');
  for (const name of ['report.html', 'events.ndjson', 'results.json', 'package.zip'])
    assert.ok(
      files.some((file) => file.endsWith(name)),
      name,
    );
  const places = placesOf(files);
  places.set('the terminal', ran.stdout + ran.stderr);
  assert.deepEqual(leaksIn(places, [KEY, SECRET]).slice(0, 10), []);
});
