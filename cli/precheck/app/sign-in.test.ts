/** An app that asks its user to sign in to the settings in each browser but that of the installation: open, and no proof of anything. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from '@playwright/test';
import type { CheckResult } from '../../../contracts/run/events.ts';
import App from '../../../examples/integrators/app/correct.ts';
import { page } from '../../../examples/integrators/support/http.ts';
import { launchQuietly } from '../../../harness/browser/launch.ts';
import { findBrowser } from '../../common/browser.ts';
import { precheckExample } from '../examples/run.ts';

const found = await findBrowser();
const skip = found === undefined ? 'there is no browser here' : false;

const SIGN_IN = '<form method="post"><label>Password <input type="password" name="password"></label></form>';

/** A user without a session gets only its form, so that the hash of the settings is not checked. */
class AsksToSignIn extends App {
  readonly status: number = 200;

  override async respond(request: Request): Promise<Response> {
    const { pathname, searchParams: query } = new URL(request.url);
    const isKnown = /(?:^|; )session=yes/.test(request.headers.get('cookie') ?? '');
    if (pathname === '/settings' && !isKnown) return page('Sign in', SIGN_IN, { status: this.status });
    const response = await super.respond(request);
    if (pathname === '/install' && query.has('authCode') && response.ok)
      response.headers.append('set-cookie', 'session=yes; Path=/; HttpOnly');
    return response;
  }
}
class AsksWith401 extends AsksToSignIn {
  override readonly status = 401;
}

const ACCOUNT = `<form action="/account"><label>E-mail <input name="email"></label>
  <label>Password <input type="password" name="password"></label> <button>Sign in</button></form>`;

/** A user without an account of the app's gets only its form after the second load, and then a page without one. */
class AsksForAnAccount extends App {
  override async respond(request: Request): Promise<Response> {
    if (new URL(request.url).pathname === '/account') return page('Unknown account', '', { status: 403 });
    return super.respond(request);
  }

  override async secondLoad(): Promise<Response> {
    return page('Sign in', ACCOUNT);
  }
}

describe('an app that asks its users to sign in', { skip }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchQuietly(found?.path ?? '');
  });
  after(() => browser?.close());

  const judged = async (make: typeof App, id: string): Promise<CheckResult> => {
    const example = { kind: 'app', make: (settings: App['settings']) => new make(settings) } as const;
    const { results } = await precheckExample(example, browser, { selected: [id] });
    return results.find((result) => result.id === id)!;
  };

  test('of a new browser is not taken for one that refuses forged settings requests', async () => {
    const { verdict, reason } = await judged(AsksToSignIn, 'app.hash.forged-refused-settings');
    assert.equal(verdict, 'inconclusive');
    assert.match(reason ?? '', /asks the user to sign in first: give a module with signIn\(\)/);
  });

  test('is not blamed for its status 401', async () => {
    const { verdict, reason } = await judged(AsksWith401, 'app.settings.any-language');
    assert.equal(verdict, 'inconclusive');
    assert.match(reason ?? '', /asks the user to sign in first/);
  });

  test('is not blamed where an invented account is refused', async () => {
    const { verdict, reason } = await judged(AsksForAnAccount, 'app.install.calls-installed');
    assert.equal(verdict, 'inconclusive');
    assert.match(reason ?? '', /a page on the way asks for a password\. Give a module with afterInstall\(\)/);
  });
});
