/** What an integrator reads whose app refuses authentic requests: the cause, the text that is hashed, and the result. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Browser } from '@playwright/test';
import type { CheckResult } from '../../../contracts/run/events.ts';
import App from '../../../examples/integrators/app/correct.ts';
import { launchQuietly } from '../../../harness/browser/launch.ts';
import { findBrowser } from '../../common/browser.ts';
import { APP_SECRET, precheckExample } from '../examples/run.ts';

const found = await findBrowser();
const skip = found === undefined ? 'there is no browser here' : false;
/** Twelve seconds of waiting, and a second browser's worth of work. */
const skipsMore = process.env.PROOFMARK_SOAK === '1' ? false : 'PROOFMARK_SOAK=1 takes it';
const SELECTED = ['app.install.first-load-redirects', 'app.install.calls-installed', 'app.hash.authentic-accepted'];

const hmac = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('hex');

/** As Python's quote writes it. */
class BareSlashes extends App {
  override hashed(query: URLSearchParams): string {
    return super.hashed(query).replaceAll('%2F', '/');
  }
}
/** Two mistakes: another text, under another algorithm. */
class JsonUnderSha512 extends App {
  override hashed(query: URLSearchParams): string {
    const rest = new URLSearchParams(query);
    rest.delete('hash');
    return JSON.stringify(Object.fromEntries(rest));
  }
  override hash(text: string): string {
    return createHmac('sha512', this.settings.appSecret).update(text).digest('hex');
  }
}
class Peppered extends App {
  override hashed(query: URLSearchParams): string {
    return `pepper${super.hashed(query)}`;
  }
}
/** It verifies the hash, and sends no one back. */
class StaysPut extends App {
  override async firstLoad(query: URLSearchParams): Promise<Response> {
    return this.finished(query);
  }
}

describe('an app that refuses authentic requests', { skip }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchQuietly(found?.path ?? '');
  });
  after(() => browser?.close());

  const judged = async (make: typeof App): Promise<(id: string) => CheckResult> => {
    const { results } = await precheckExample({ kind: 'app', make: (settings) => new make(settings) }, browser, {
      selected: SELECTED,
    });
    return (id) => results.find((result) => result.id === id)!;
  };
  const evidenceOf = (result: CheckResult) => {
    const { expected, actual } = result as { expected?: Evidence; actual?: Evidence };
    return { expected: expected!, actual: actual! };
  };

  test('gets its known mistake reported: both texts and both results', async () => {
    const result = await judged(BareSlashes);
    const refused = result('app.hash.authentic-accepted');
    assert.equal(refused.verdict, 'fail');
    const sentence =
      /^your app refuses an authentic hash; its own hash would be correct if every "\/" were percent-encoded/;
    assert.match(refused.reason ?? '', sentence);
    const { expected, actual } = evidenceOf(refused);
    assert.equal(expected.hash, hmac(APP_SECRET, expected.text));
    assert.equal(actual.hash, hmac(APP_SECRET, expected.text.replaceAll('%2F', '/')));
    for (const id of SELECTED.slice(0, 2)) {
      assert.equal(result(id).verdict, 'inconclusive');
      assert.equal(result(id).because, 'app.hash.covers-all-parameters');
    }
  });

  test('gets both of two mistakes reported', { skip: skipsMore }, async () => {
    const result = await judged(JsonUnderSha512);
    assert.match(
      result('app.hash.authentic-accepted').reason ?? '',
      /would be correct if it were computed over the query instead of over JSON, and if the algorithm were .* SHA-512$/,
    );
  });

  test('gets the text and the result reported if no known mistake explains it', async () => {
    const result = await judged(Peppered);
    const { verdict, reason = '', curl = '', ...rest } = result('app.hash.authentic-accepted');
    assert.equal(verdict, 'fail');
    assert.match(reason, /^your app refuses an authentic hash, and no known mistake explains it: .* status 400\./);
    const { expected } = evidenceOf({ verdict, reason, curl, ...rest } as CheckResult);
    assert.equal(expected.hash, hmac(APP_SECRET, expected.text));
    assert.ok(reason.includes(`The text is ${expected.text} and`) && reason.includes(expected.hash));
    assert.ok(curl.startsWith(`printf %s '${expected.text}' | openssl dgst -sha256 -hmac "$APP_SECRET"`));
    assert.equal(result('app.install.first-load-redirects').because, 'app.hash.covers-all-parameters');
  });

  test('is not blamed for its hash where it only sends no one back', { skip: skipsMore }, async () => {
    const result = await judged(StaysPut);
    assert.equal(result('app.install.first-load-redirects').verdict, 'fail');
    assert.equal(result('app.hash.authentic-accepted').because, 'app.install.first-load-redirects');
  });
});

interface Evidence {
  readonly text: string;
  readonly hash: string;
}
