/** What an app asks of a person: to sign in, to press a button once it is installed. With a driver it is judged, without one it is not blamed. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser } from '@playwright/test';
import App from '../../../examples/integrators/app/correct.ts';
import { page, redirect } from '../../../examples/integrators/support/http.ts';
import type { Settings } from '../../../examples/integrators/support/settings.ts';
import { launchQuietly } from '../../../harness/browser/launch.ts';
import { findBrowser } from '../../common/browser.ts';
import { folderFor } from '../../common/command.fixture.ts';
import { type ExampleRun, type PrecheckResult, precheckExample } from '../examples/run.ts';

const found = await findBrowser();
const skip = found === undefined ? 'there is no browser here' : false;

const SIGN_IN = `<form method="post" action="/sign-in"><input name="name"><input type="password" name="password">
  <button>Sign in</button></form>`;
const SESSION = 'session=signed-in';

/** Everything but its manifest and icon is for those who have signed in; installed is called when they press Finish. */
class Guarded extends App {
  override async respond(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/sign-in' && request.method === 'POST') {
      const signedIn = redirect('/home');
      signedIn.headers.set('set-cookie', `${SESSION}; HttpOnly; SameSite=Lax; Path=/`);
      return signedIn;
    }
    const isOpen = !['/install', '/settings', '/home', '/finish'].includes(pathname);
    if (isOpen) return super.respond(request);
    if (!(request.headers.get('cookie') ?? '').includes(SESSION)) return page('Sign in', SIGN_IN);
    if (pathname === '/home') return page('Home', '<p>Welcome back.</p>');
    if (pathname !== '/finish') return super.respond(request);
    return (await this.finish(searchParams.get('code') ?? '')) === null
      ? this.unfinished(searchParams)
      : this.finished(searchParams);
  }

  override async secondLoad(_query: URLSearchParams, authCode: string): Promise<Response> {
    const field = `<input type="hidden" name="code" value="${authCode}">`;
    return page('One last step', `<form action="/finish">${field}<button>Finish</button></form>`);
  }
}

const driverOf = (steps: string): string => `export default { ${steps} };\n`;
const SIGNS_IN = `async signIn(page) {
  await page.goto(process.env.PROOFMARK_TEST_APP + '/home');
  await page.fill('[name=name]', 'anna');
  await page.fill('[name=password]', 'open sesame');
  await page.click('button');
  await page.getByText('Welcome back').waitFor();
},`;
const FINISHES = `async afterInstall(page) { await page.getByRole('button', { name: 'Finish' }).click(); await page.getByText('greeted').waitFor(); },`;

const SELECTED = [
  'app.install.first-load-redirects',
  'app.install.calls-installed',
  'app.install.shows-page',
  'app.hash.forged-refused-second',
  'app.installations.own-auth-code',
];

describe('an app that needs a person', { skip }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchQuietly(found?.path ?? '');
  });
  after(() => browser?.close());

  const precheck = async (make: typeof App, run: ExampleRun): Promise<[PrecheckResult, Map<string, string>]> => {
    const makeApp = (settings: Settings): App => {
      process.env.PROOFMARK_TEST_APP = settings.origin;
      return new make(settings);
    };
    const result = await precheckExample({ kind: 'app', make: makeApp }, browser, { selected: SELECTED, ...run });
    return [result, new Map(result.results.map(({ id, verdict }) => [id, verdict]))];
  };

  test('is judged with a driver that signs in and presses the last button', async (t) => {
    const driver = join(folderFor(t), 'driver.mjs');
    writeFileSync(driver, driverOf(SIGNS_IN + FINISHES));
    const [result, verdicts] = await precheck(Guarded, { driver });
    assert.deepEqual(
      [...verdicts],
      SELECTED.map((id) => [id, 'pass']),
      result.findings.join('\n'),
    );
  });

  test('is found to accept forged requests, with that driver', async (t) => {
    const driver = join(folderFor(t), 'driver.mjs');
    writeFileSync(driver, driverOf(SIGNS_IN + FINISHES));
    const [result, verdicts] = await precheck(
      class extends Guarded {
        override accepts(...[query, load]: Parameters<App['accepts']>): boolean {
          return load === 'second' || super.accepts(query, load);
        }
      },
      { driver, selected: ['app.hash.forged-refused-second'] },
    );
    assert.deepEqual([...verdicts], [['app.hash.forged-refused-second', 'fail']], result.findings.join('\n'));
  });

  test('is not blamed without a driver, nor where the driver fails; the reason says what to do', async (t) => {
    const [without, verdicts] = await precheck(Guarded, { selected: ['app.install.first-load-redirects'] });
    assert.deepEqual([...verdicts.values()], ['inconclusive']);
    assert.match(without.findings.join('\n'), /sign in first: give a module with signIn\(\) with --driver/);

    const driver = join(folderFor(t), 'driver.mjs');
    writeFileSync(driver, driverOf(`${SIGNS_IN} async afterInstall() { throw new Error('the button has moved'); },`));
    const selected = ['app.install.calls-installed', 'app.install.any-language'];
    const [failing, others] = await precheck(Guarded, { driver, selected });
    assert.deepEqual([...others.values()], ['inconclusive', 'inconclusive']);
    assert.match(failing.findings.join('\n'), /afterInstall of the driver threw: the button has moved/);
  });
});
