/** The correct examples in their three languages do what the contract asks for, as processes of their own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeAppManifest, judgeDeliveryManifest, judgeIcon } from '../../contracts/manifests/index.ts';
import { type Language, missing, type StartOptions, startExample } from './start.ts';
import { probeApp } from './testing/app-probes.ts';
import { API_KEY, APP_SECRET } from './testing/in-process.ts';
import { probeLabelPage } from './testing/label-probes.ts';
import { type Stub, startStub } from './testing/stub.ts';

const LANGUAGES = ['ts', 'php', 'python'] as const satisfies readonly Language[];

const BACK = 'back with appId=3001&language=lv&platformVersion=2.14.0';
const installed = (code: string): string => `200 Greeting is installed; ${callsOf(code)}`;
const callsOf = (code: string): string =>
  [
    `POST installed/ ${code} key`,
    `POST set_data/ ${code} key {"data":{"greeting":"Sveiki!"}}`,
    String.raw`POST set_snippet/ ${code} key {"snippet":"<p class=\"greeting\">Sveiki!</p>"}`,
  ].join('; ');
const settings = (code: string): string => `200 Settings of Greeting; GET get_data/ ${code} key`;

const APP: Record<string, string> = {
  'first load': BACK,
  'first load with an unknown parameter': BACK.replace('appId', 'shop=a%26b%3D%C3%BC%25&appId'),
  'first load in another order': 'back with platformVersion=2.14.0&language=lv&appId=3001',
  'second load of code-a': installed('code-a'),
  'settings of code-a': settings('code-a'),
  'second load of code-b': installed('code-b'),
  'settings of code-b': settings('code-b'),
  'second load, and the service refuses': '502 Greeting is not installed; POST installed/ code-a key',
  'seen by the browser': 'no secret',
};

/** A test with an example in a process and the stub in place of the service. */
function withExample(
  name: string,
  start: Omit<StartOptions, 'settings'> & { readonly tabMode?: 'blank' | 'self' },
  body: (example: { origin: string; stub: Stub }) => Promise<void>,
): void {
  test(name, async (t) => {
    const reason = missing(start.language ?? 'ts');
    if (reason !== undefined) return t.skip(reason);
    const stub = await startStub();
    t.after(() => stub.close());
    const { tabMode = 'blank', ...rest } = start;
    const serviceBase = `${stub.origin}/v1/`;
    const example = await startExample({
      ...rest,
      settings: { serviceBase, apiKey: API_KEY, appSecret: APP_SECRET, tabMode },
    });
    t.after(() => example.close());
    await body({ origin: example.origin, stub });
  });
}

/** Only the forged situations, all of which have to be refused; without them the rest. */
function split(seen: Record<string, string>): { forged: [string, string][]; rest: Record<string, string> } {
  const entries = Object.entries(seen);
  return {
    forged: entries.filter(([name]) => name.includes('forged')),
    rest: Object.fromEntries(entries.filter(([name]) => !name.includes('forged'))),
  };
}

for (const language of LANGUAGES) {
  for (const tabMode of ['blank', 'self'] as const) {
    withExample(
      `the correct app in ${language}, tab mode ${tabMode}`,
      { kind: 'app', language, tabMode },
      async ({ origin, stub }) => {
        const { forged, rest } = split(await probeApp({ origin, apiKey: API_KEY, appSecret: APP_SECRET, stub }));
        const { manifest, icon: _icon, ...seen } = rest;
        const wanted = { ...APP };
        if (tabMode === 'self') {
          for (const code of ['code-a', 'code-b']) {
            wanted[`second load of ${code}`] = `${BACK.replace('appId', `authCode=${code}&appId`)}; ${callsOf(code)}`;
          }
        }
        assert.deepEqual(seen, wanted);
        assert.ok(forged.length >= 14);
        for (const [name, shown] of forged) assert.equal(shown, 'refused', name);
        const judged = JSON.parse(manifest ?? '', (_, value) =>
          String(value).startsWith('/') ? origin + value : value,
        );
        assert.equal(judged.app_tab_mode, tabMode);
        assert.deepEqual(judgeAppManifest({ ...judged, app_secret: APP_SECRET }), []);
        assert.deepEqual(judgeIcon(new Uint8Array(await (await fetch(`${origin}/icon.png`)).arrayBuffer())), []);
      },
    );
  }

  withExample(`the correct label page in ${language}`, { kind: 'label', language }, async ({ origin, stub }) => {
    const { forged, rest } = split(await probeLabelPage({ origin, apiKey: API_KEY, stub }));
    const { manifest, ...seen } = rest;
    const { tracking, error, asks } = LABEL[language];
    const success = `GET, label_request_id label_url${tracking} signature, same id, signed, a PDF as application/pdf`;
    assert.deepEqual(seen, {
      order: success,
      'calls meanwhile': asks ? 'POST /v1/store/delivery_provider_settings/ key {"order_uuid":"some order_uuid"}' : '',
      'order with another buyer address': success,
      'order in other letters': success,
      'order with line breaks': success,
      'order without a phone': success,
      'order with a long cart': success,
      'order with an unknown field': success,
      'order that is too heavy': error,
      'order as multipart': success,
      checkout: '200 Delivery',
    });
    assert.ok(forged.length >= 16);
    for (const [name, shown] of forged) assert.equal(shown, 'refused', name);
    const judged = JSON.parse(manifest ?? '', (_, value) => (String(value).startsWith('/') ? origin + value : value));
    assert.deepEqual(judgeDeliveryManifest(judged), []);
  });
}

/** In what the three label pages differ, all of it left open by the contract. */
const LABEL = {
  ts: {
    tracking: ' tracking_code tracking_url',
    error: 'GET, label_request_id error_msg signature, same id, a reason',
    asks: true,
  },
  php: { tracking: '', error: 'GET, label_request_id error_msg signature, same id, a reason', asks: false },
  python: {
    tracking: ' tracking_url tracking_code',
    error: 'GET, label_request_id error_msg, same id, a reason',
    asks: true,
  },
} as const;
