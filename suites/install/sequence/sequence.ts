/** The steps of an installation (spec: Installation sequence). */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import type { CheckOptions } from '../../../harness/check/facts.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Apps } from '../../../harness/target/interfaces/apps.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { firstOf, givenAccepted, installationOf, secondLoadOf, walkOf } from '../steps/reading.ts';
import { callbackOf, hasCode, type Load, valuesOf } from '../steps/user-flow.ts';

/** What the checks of the first load need: an app of the profile that the driver may lead to the harness. */
export const FIRST_LOADS: Pick<CheckOptions, 'needs' | 'effects' | 'part'> = {
  needs: ['apps.apiKey', 'browser', 'driver.registerApp', 'driver.pressInstall'],
  effects: 'drive',
  part: 'install',
};

/** What all other checks of installations need. */
export const INSTALLS: typeof FIRST_LOADS = {
  ...FIRST_LOADS,
  needs: [...FIRST_LOADS.needs, 'driver.acceptPermissions'],
};

/** A load in the words of a report; its code is a secret that the redaction knows. */
const describeLoad = ({ received }: Load): string => `${received.method} ${received.path}`;

/** One call that is served proves a code; what is wrong with another call has checks of its own. */
async function firstServed({ send }: Context, apps: Apps): Promise<ServiceResponse> {
  let last = await send(apps.getLanguages());
  for (const call of [apps.getWebsite(), apps.getData(), apps.getUser()]) {
    if (isServed(last)) break;
    last = await send(call);
  }
  return last;
}

export const checks: readonly Check[] = [
  check(
    'install.sequence.first-load',
    "MUST load the app's install address when Install is pressed",
    { ...FIRST_LOADS, clauses: ['install.sequence.first-load'] },
    async (context) => {
      for (const shape of ['self', 'blank'] as const) {
        const { first, app } = await walkOf(context, shape);
        context.expect.that(first !== undefined, 'must load the install address when Install is pressed', {
          expected: `GET ${app.installUrl}`,
          actual: 'nothing was loaded',
        });
      }
    },
  ),

  check(
    'install.sequence.first-load-without-auth-code',
    'MUST load the install address without an authCode the first time',
    { ...FIRST_LOADS, clauses: ['install.sequence.first-load-without-auth-code'] },
    async (context) => {
      for (const shape of ['self', 'blank'] as const) {
        const first = firstOf(context, await walkOf(context, shape));
        const codes = valuesOf(first, 'authCode');
        const message = 'must not send an authCode before the user has accepted the permissions';
        context.expect.that(codes.length === 0, message, {
          expected: 'no authCode parameter',
          actual: hasCode(first) ? 'an authCode' : 'an empty authCode',
          pointer: 'query authCode',
          exchange: first.received.exchange,
        });
      }
    },
  ),

  check(
    'install.sequence.permission-request',
    'MUST ask the user for permissions when the app redirects to the callback',
    { ...INSTALLS, clauses: ['install.sequence.permission-request'] },
    async (context) => {
      const { given, expect } = context;
      for (const shape of ['self', 'blank'] as const) {
        const walk = await walkOf(context, shape);
        const first = firstOf(context, walk);
        const exchange = first.received.exchange;
        const clause = 'install.parameters.callback';
        given.present(callbackOf(first), clause, 'the first load had no callback to return to', { exchange });
        const { returned } = walk;
        if (walk.isAccepted || walk.second !== undefined) {
          expect.that(true, 'asked, and the request was accepted');
          continue;
        }
        expect.that(!walk.early.some(hasCode), 'must ask for permissions before the app is loaded with an authCode', {
          expected: 'a permission request',
          actual: 'the app was loaded with an authCode at once',
          exchange,
        });
        expect.that(
          returned === undefined || (returned.status > 0 && returned.status < 400),
          'must show the user a permission request at the callback',
          { expected: 'a page', actual: `status ${returned?.status} at ${withoutQuery(returned?.url)}`, exchange },
        );
        expect.that(walk.hadButtons !== false, 'must show a permission request that can be accepted', {
          expected: 'a page with a button to accept',
          actual: `a page without any button at ${withoutQuery(returned?.url)}`,
          exchange,
        });
        // There was a page with buttons, and the driver found its own not among them.
        throw walk.acceptProblem ?? new Inconclusive('the permissions could not be accepted', 'configuration');
      }
    },
  ),

  check(
    'install.sequence.second-load-after-acceptance',
    'MUST NOT load the app with an authCode before the user accepts the permissions',
    { ...INSTALLS, clauses: ['install.sequence.second-load-after-acceptance'] },
    async (context) => {
      for (const shape of ['self', 'blank'] as const) {
        const walk = await walkOf(context, shape);
        firstOf(context, walk);
        const early = walk.early.find(hasCode);
        context.expect.that(
          early === undefined,
          'must not load the app with an authCode before the user has accepted',
          {
            expected: 'no load with an authCode yet',
            actual: early === undefined ? undefined : describeLoad(early),
            exchange: early?.received.exchange,
          },
        );
        givenAccepted(context, walk);
      }
    },
  ),

  check(
    'install.sequence.second-load-with-auth-code',
    'MUST load the install address with an authCode after the user accepts',
    { ...INSTALLS, clauses: ['install.sequence.second-load-with-auth-code'] },
    async (context) => {
      for (const shape of ['self', 'blank'] as const) {
        const walk = await walkOf(context, shape);
        givenAccepted(context, walk);
        const { second } = walk;
        context.expect.that(second !== undefined, 'must load the install address again after the acceptance', {
          expected: `GET ${walk.app.installUrl} with an authCode`,
          actual: 'nothing was loaded',
        });
        const codes = new Set(second === undefined ? [] : valuesOf(second, 'authCode'));
        const isOne = codes.size === 1 && !codes.has('');
        context.expect.that(isOne, 'must identify the installation by an authCode', {
          expected: 'an authCode parameter with a value',
          actual: codes.size > 1 ? 'several authCodes' : 'no authCode',
          pointer: 'query authCode',
          exchange: second?.received.exchange,
        });
      }
    },
  ),

  check(
    'install.sequence.auth-code-works',
    'MUST accept the authCode of the second load on Apps operations',
    { ...INSTALLS, clauses: ['install.sequence.auth-code-works'] },
    async (context) => {
      const { expect } = context;
      const walk = await walkOf(context, 'self');
      let last = await firstServed(context, installationOf(context, walk));
      // A service may have one installation of an app on a website at a time: the next one's code is the one that counts then.
      if (!isServed(last) && walk.next?.apps !== undefined) last = await firstServed(context, walk.next.apps);
      expect.that(isServed(last), 'must serve calls with the code that the app was loaded with', {
        expected: 'a successful response',
        actual: summary(last),
        response: last,
      });
    },
  ),

  check(
    'install.sequence.return-ends-sequence',
    'MUST show a page of the service when an app with tab mode self returns',
    { ...INSTALLS, clauses: ['install.sequence.return-ends-sequence'] },
    async (context) => {
      const { given, expect } = context;
      const walk = await walkOf(context, 'self');
      const second = secondLoadOf(context, walk);
      const exchange = second.received.exchange;
      const { base } = await context.listener();
      given.present(callbackOf(second), 'install.parameters.callback', 'the second load had no callback', {
        exchange,
      });
      const { installed, end } = walk;
      given.holds(
        // One that the website had before may be finished already, and refuse a second call.
        walk.isKnown === true || (installed !== undefined && isServed(installed)),
        'apps.installed.completes-installation',
        'the installation could not be finished before the app returned',
        { exchange },
      );
      if (end === undefined)
        throw new Inconclusive('the browser did not follow the app back to the service', 'network');
      const isPage = end.status > 0 && end.status < 400 && !end.url.startsWith(base) && !end.loadedAppAgain;
      expect.that(isPage, 'must show a page of the service when the app finally returns', {
        expected: 'a page of the service',
        actual: end.loadedAppAgain
          ? 'the app was loaded once more'
          : `status ${end.status} at ${withoutQuery(end.url)}`,
        exchange,
      });
    },
  ),
];

/** The code of the installation is in the query of the return redirect. */
const withoutQuery = (url: string | undefined): string => (url ?? 'no address').split('?', 1)[0]!;
