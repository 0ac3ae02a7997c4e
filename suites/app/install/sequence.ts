/** The installation sequence as a user goes through it: the first load, the return redirect, the second load, what comes after. */

import { type Pairs, pairsOf } from '../../../contracts/install-hash/index.ts';
import { Skipped } from '../../../harness/check/failures.ts';
import { curlOf } from '../../../harness/evidence/curl.ts';
import type { Received } from '../../../harness/integrator/counterpart.ts';
import { describePage, isOverloaded } from '../../../harness/integrator/page/inspection/page-inspection.ts';
import { type AppCheck, type AppContext, appCheck } from '../session.ts';
import { parameterOf, parametersOf, withNewHash, withoutHash } from '../steps/address.ts';
import { comparisonOf } from '../steps/diagnosis.ts';
import { authCodeOf, callbacksOf, exchangesOf, isInstalledCall } from '../steps/effects.ts';
import {
  givenFirst,
  givenInstalled,
  givenNoPersonAwaited,
  givenNoSignIn,
  givenNotRefused,
  givenSecond,
  pace,
} from '../steps/given.ts';
import { type Alteration, authenticLoads, firstLoads } from '../steps/loads/index.ts';
import { expectAppPage } from '../steps/user-flow/app-page.ts';
import { type CodedLoad, isServerFailure, journeyOf } from '../steps/user-flow/index.ts';
import {
  ADDRESS_CHANGED,
  addedTo,
  expectedBack,
  leadsTo,
  missingFrom,
  NOT_SENT_BACK,
} from '../steps/user-flow/returned.ts';

function expectKept(context: AppContext, callback: Received, sent: Pairs): void {
  const missing = missingFrom(pairsOf(callback.query), sent);
  context.expect.that(
    missing.length === 0,
    `the redirect must return every received parameter except callback and hash unchanged: ${missing.join(', ')}`,
    {
      expected: Object.fromEntries(expectedBack(sent)),
      actual: Object.fromEntries(pairsOf(callback.query)),
      exchange: callback.exchange,
    },
  );
}

/** Values on which the encodings of all languages agree, although none of them may be sent as it is. */
const ENCODED: Pairs = [
  ['proofmark_extra', 'R&D=50%+1/2?#ü€😀'],
  // The last letter is two characters; normalised, it is one.
  ['proofmark_more', 'Müller"Söhne;e\u0301'],
  ['proofmark_empty', ''],
  // In some languages this has almost no effect.
  ['proofmark_zero', '0'],
  // Neither a number nor one of the two that are left out, whatever a pattern makes of them.
  ['proofmark_number', '007.50'],
  // As a number it would lose its zeros.
  ['proofmark_digits', '0070'],
  // Tabs are written in one way; spaces are not.
  ['proofmark_padded', '\tpadded\t'],
  ['hash_callback_hash', 'one'],
  // Longer than a column of a database, and with what looks like another encoding.
  ['proofmark_long', `${'long-'.repeat(60)}100%25`],
];

/** Whether a request is a browser's that goes to another page, not one of a server, of a script or of a frame in a page. */
const bringsUser = ({ headers }: Received): boolean =>
  /^Mozilla\//.test(headers['user-agent'] ?? '') &&
  (headers['sec-fetch-mode'] ?? 'navigate') === 'navigate' &&
  (headers['sec-fetch-dest'] ?? 'document') === 'document';

/** What some frameworks refuse wherever it comes: a redirect that has it must not have it changed. */
const MARKUP: Pairs = [['proofmark_markup', 'a<b>c</b>&amp;d']];

export const checks: readonly AppCheck[] = [
  appCheck(
    'app.install.first-load-redirects',
    'MUST redirect the first load to the address in callback',
    { clauses: ['app.install.first-load-redirects'], needs: ['browser', 'app'] },
    async (context) => {
      const { first } = await journeyOf(context);
      const { expect, screenshots } = context;
      screenshots.push(...first.screenshots);
      await givenNotRefused(context);
      const { callback, snapshot, failure } = first;
      if (callback === undefined) givenNoSignIn(snapshot);
      context.restOn(exchangesOf([callback]));
      expect.that(
        callback !== undefined,
        `the app must redirect the first load, which has no authCode and an authentic hash, to the address in callback${
          isOverloaded(snapshot)
            ? `; a server that is not running, or has too much to do, answers with status ${snapshot.status}`
            : `. If it considers the hash wrong: ${comparisonOf(first.address)}`
        }`,
        {
          expected: `a redirect to ${first.pairs.find(([name]) => name === 'callback')?.[1]}`,
          actual: `${snapshot.place}: ${describePage(snapshot, failure)}`,
          curl: curlOf({ method: 'GET', url: first.address }, context.session.redaction),
        },
      );
      expect.that(callback?.method === 'GET', 'the user must return by GET', {
        expected: 'GET',
        actual: callback?.method,
        exchange: callback?.exchange,
      });
      expect.that(
        callbacksOf(context.session, first.token).some(bringsUser),
        'the app requested the callback itself, and the user stayed where they were: redirect the browser of the user to it',
        {
          expected: 'a navigation of the browser',
          actual: `${snapshot.place}: ${describePage(snapshot, failure)}`,
          exchange: callback?.exchange,
        },
      );
      const sent = parameterOf(first.pairs, 'callback') ?? '';
      expect.that(callback === undefined || leadsTo(callback, sent), ADDRESS_CHANGED, {
        expected: sent,
        actual: `${callback?.headers.host ?? ''}${callback?.path ?? ''}`,
        exchange: callback?.exchange,
      });
    },
  ),
  appCheck(
    'app.install.redirect-in-same-tab',
    'SHOULD redirect the first load in its own tab',
    { clauses: ['app.install.redirect-in-same-tab'], needs: ['browser', 'app'] },
    async (context) => {
      const { callback, isInNewWindow } = await givenFirst(context);
      context.restOn([callback.exchange]);
      context.expect.that(
        !isInNewWindow,
        'the app opens the address in callback in a new window, which no click of the user asks for: browsers block it. Redirect the tab of the first load',
        { expected: 'a redirect in the same tab', actual: 'a new window', exchange: callback.exchange },
      );
    },
  ),
  appCheck(
    'app.install.redirect-keeps-parameters',
    'MUST return every received parameter except callback and hash unchanged',
    { clauses: ['app.install.redirect-keeps-parameters'], needs: ['browser', 'app'] },
    async (context) => {
      const { callback, pairs } = await givenFirst(context);
      // A form that is posted brings its fields elsewhere than in the query: that it is posted is the fault.
      const clause = 'app.install.first-load-redirects';
      context.given.holds(callback.method === 'GET', clause, 'the user does not return by GET');
      expectKept(context, callback, pairs);
    },
  ),
  appCheck(
    'app.install.redirect-keeps-other-parameters',
    'MUST return unknown parameters, including values that need encoding',
    { clauses: ['app.install.redirect-keeps-parameters'], needs: ['browser', 'app'] },
    async (context) => {
      const { session, given } = context;
      const { pairs, callback: back } = await givenFirst(context);
      given.holds(
        missingFrom(pairsOf(back.query), pairs).length === 0,
        'app.install.redirect-keeps-parameters',
        'the app does not return the usual parameters either',
      );
      const secret = session.app.secret!;
      const { first: waitMs } = await pace(context);
      const adding = (change: string, more: Pairs): Alteration => ({
        change,
        alter: (url) =>
          withNewHash(url, [...withoutHash(parametersOf(url)), ...more], secret, { hashed: session.dialect }),
      });
      const [[outcome], [marked]] = await Promise.all([
        authenticLoads(context, [adding('additional parameters', ENCODED)], waitMs),
        firstLoads(context, [adding('an additional parameter with markup', MARKUP)], waitMs),
      ]);
      const callback = given.present(
        outcome?.callback,
        'app.hash.covers-all-parameters',
        'the app refuses an authentic request with additional parameters',
      );
      context.restOn([callback.exchange]);
      expectKept(context, callback, parametersOf(outcome!.address));
      if (marked?.callback !== undefined) expectKept(context, marked.callback, parametersOf(marked.address));
    },
  ),
  appCheck(
    'app.install.redirect-drops-hash-and-callback',
    'MUST NOT return hash or callback',
    { clauses: ['app.install.redirect-drops-hash-and-callback'], needs: ['browser', 'app'] },
    async (context) => {
      const { callback, pairs } = await givenFirst(context);
      const kept = pairsOf(callback.query)
        .map(([name]) => name)
        .filter((name) => NOT_SENT_BACK.includes(name));
      context.expect.that(
        kept.length === 0,
        `the redirect must contain neither hash nor callback; it contains ${kept.join(' and ')}`,
        {
          expected: Object.fromEntries(expectedBack(pairs)),
          actual: Object.fromEntries(pairsOf(callback.query)),
          exchange: callback.exchange,
        },
      );
    },
  ),
  appCheck(
    'app.install.redirect-adds-nothing',
    'MUST NOT add parameters that it did not receive',
    { clauses: ['app.install.redirect-adds-nothing'], needs: ['browser', 'app'] },
    async (context) => {
      const { callback, pairs } = await givenFirst(context);
      const added = addedTo(pairsOf(callback.query), pairs);
      context.expect.that(
        added.length === 0,
        `the redirect must not add parameters; it adds ${added.map(([name]) => name).join(', ')}`,
        {
          expected: expectedBack(pairs).map(([name]) => name),
          actual: Object.fromEntries(added),
          exchange: callback.exchange,
        },
      );
    },
  ),
  appCheck(
    'app.install.not-called-early',
    'MUST NOT call installed before it is loaded with an authCode',
    { clauses: ['app.install.not-called-early'], needs: ['browser', 'app'] },
    async (context) => {
      const { early } = await givenFirst(context);
      context.restOn(exchangesOf(early));
      context.expect.that(
        early.length === 0,
        'the app must not call installed before the user has accepted the permissions',
        {
          expected: [],
          actual: early.map(({ method, target }) => `${method} ${target}`),
          exchange: early[0]?.exchange,
        },
      );
    },
  ),
  appCheck(
    'app.install.calls-installed',
    'MUST call installed, with its key and the authCode of the load, after the second load',
    { clauses: ['app.install.calls-installed'], needs: ['browser', 'app'] },
    async (context) => {
      const second = await givenSecond(context);
      context.screenshots.push(...second.screenshots);
      judgeInstalled(context, second);
    },
  ),
  appCheck(
    'app.install.shows-page',
    'MUST show its own page after installation if its tab mode is blank',
    { clauses: ['app.install.shows-page'], needs: ['browser', 'app'] },
    async (context) => {
      const second = await givenSecond(context);
      const { tabMode } = context.session.app;
      if (tabMode === 'self') throw new Skipped('the tab mode of the app is self');
      if (tabMode === undefined && second.callback !== undefined)
        throw new Skipped('the tab mode is neither blank nor self, and the app returns as with self');
      context.restOn(exchangesOf([second.installed, second.callback]));
      await expectAppPage(context, second, 'after the installation the user must see a page of the app');
    },
  ),
  appCheck(
    'app.install.self-mode-returns',
    'SHOULD redirect to the callback after installation if its tab mode is self',
    { clauses: ['app.install.self-mode-returns'], needs: ['browser', 'app'] },
    async (context) => {
      if (context.session.app.tabMode !== 'self') throw new Skipped('the tab mode of the app is not self');
      const { callback, pairs, snapshot, failure } = await givenInstalled(context);
      context.restOn(exchangesOf([callback]));
      context.expect.that(
        callback !== undefined,
        "an app with tab mode self should redirect the user to the callback; on a page of the app the user can't return to the service",
        { expected: 'a redirect to the callback', actual: `${snapshot.place}: ${describePage(snapshot, failure)}` },
      );
      const back = pairsOf(callback!.query);
      const wrong = [
        ...missingFrom(back, pairs),
        ...back.filter(([name]) => NOT_SENT_BACK.includes(name)).map(([name]) => `${name} is kept`),
        ...addedTo(back, pairs).map(([name]) => `${name} is added`),
      ];
      context.expect.that(
        wrong.length === 0,
        `the second redirect should contain the same parameters as the first one: ${wrong.join(', ')}`,
        {
          expected: Object.fromEntries(expectedBack(pairs)),
          actual: Object.fromEntries(back),
          exchange: callback?.exchange,
        },
      );
    },
  ),
  appCheck(
    'app.install.first-attempt',
    'SHOULD answer its user at the first attempt, without an error of its server',
    { clauses: ['app.install.first-attempt'], needs: ['browser', 'app'] },
    async (context) => {
      const { callback } = await givenFirst(context);
      const { second, settings, failedAtFirst } = await journeyOf(context);
      const what = 'the server of the app fails each time';
      const clause = second?.installed === undefined ? 'app.install.calls-installed' : 'app.install.shows-page';
      context.given.holds(!isServerFailure(second), clause, what);
      context.given.holds(!isServerFailure(settings), 'app.settings.shows-page', what);
      context.restOn(exchangesOf([callback, second?.installed]));
      const [failed] = failedAtFirst;
      context.screenshots.push(...(failed?.screenshots ?? []));
      context.expect.that(
        failed === undefined,
        `the server of the app failed at first, and answered when the user came again: ${failedAtFirst.map(({ snapshot }) => `${snapshot.place} had status ${snapshot.status}`).join('; ')}`,
        {
          expected: 'a redirect or a page at the first attempt',
          actual: describePage(failed?.snapshot, failed?.failure),
          ...(failed === undefined
            ? {}
            : { curl: curlOf({ method: 'GET', url: failed.address }, context.session.redaction) }),
        },
      );
    },
  ),
];

function judgeInstalled(context: AppContext, load: CodedLoad): void {
  const { authCode, calls, installed, snapshot, failure, blockedForm } = load;
  const { expect, given, session } = context;
  const attempts = calls.filter(isInstalledCall);
  context.restOn(exchangesOf(attempts));
  if (installed === undefined) {
    const withoutCode = attempts.find((call) => authCodeOf(call) === undefined);
    given.holds(
      withoutCode === undefined,
      'app.calls.auth-code-in-query',
      'installed was called without authCode in its query',
      {
        exchange: withoutCode?.exchange,
      },
    );
    givenNoPersonAwaited(context, load);
    const other = attempts.find((call) => authCodeOf(call) !== authCode);
    expect.that(
      false,
      other === undefined
        ? `the app must call POST apps/installed/ after an authentic load with an authCode${
            blockedForm === undefined ? '' : `; the browser does not send the form of its page: ${blockedForm}`
          }`
        : 'the app must call installed with the authCode of the load; it used another one',
      {
        expected: 'POST apps/installed/ with the authCode of the load',
        actual: other === undefined ? describePage(snapshot, failure) : other.target,
        exchange: other?.exchange,
      },
    );
    return;
  }
  expect.that(installed.method === 'POST', `the app must call installed by POST; it used ${installed.method}`, {
    exchange: installed.exchange,
  });
  // The letter case of the word before the key is judged with all calls.
  const [, sent] = /^ApiKey (\S.*)$/i.exec(installed.headers.authorization ?? '') ?? [];
  given.holds(
    sent !== undefined,
    'app.calls.authorization-header',
    'installed was called without a key in the required form',
    { exchange: installed.exchange },
  );
  expect.that(
    sent === session.app.apiKey.reveal(),
    'the app must call installed with its own key; it used another one',
    { exchange: installed.exchange },
  );
  expect.that(installed.status === 200, `the service responded to the installed call with status ${installed.status}`, {
    expected: 200,
    actual: installed.responseText,
    exchange: installed.exchange,
  });
  expect.that(authCodeOf(installed) === authCode, 'the app must call installed with the authCode of the load', {
    exchange: installed.exchange,
  });
}
