/** Deleting an installation (spec: B. Apps endpoints): of one that the run has made for it. */
import { type Check, check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { summary } from '../../harness/check/expect.ts';
import { Inconclusive } from '../../harness/check/failures.ts';
import { isServed } from '../../harness/target/response/judge-response.ts';
import { INSTALLS } from '../install/sequence/sequence.ts';
import { containsMark, type Deletion, deletionOf, type InstallationContents } from '../install/steps/deletion.ts';
import { firstOf, installationOf, secondLoadOf, settingsOf } from '../install/steps/reading.ts';
import { hasCode, valuesOf } from '../install/steps/user-flow.ts';
import { expectCode } from '../settings/request.ts';
import { STATES, stateIn } from './installed/installed.ts';

const DELETES = { ...INSTALLS, effects: ['write', 'drive', 'uninstall'] as const };

/** States that the installation held what was set, so that its absence afterwards means something. */
function givenHeld(
  { given }: Context,
  { mark }: Deletion,
  { data, snippet, languageSnippet }: InstallationContents,
): void {
  given.holds(containsMark(data, mark), 'apps.data.string-kept', 'the data that was set did not read back', {
    response: data,
  });
  const clause = 'apps.snippet.default-kept';
  given.holds(containsMark(snippet, mark), clause, 'the snippet that was set did not read back', { response: snippet });
  const ofLanguage = 'apps.snippet.language-kept';
  given.holds(containsMark(languageSnippet, mark), ofLanguage, 'the snippet for a language did not read back', {
    response: languageSnippet,
  });
}

/** The app installed again on the same website. */
function installedAgain({ given }: Context, { again, endedOther, response }: Deletion): NonNullable<Deletion['again']> {
  const evidence = { response };
  given.holds(!endedOther, 'apps.isolation.delete', 'delete ended another installation as well', evidence);
  return given.present(again, 'apps.delete.uninstalls', 'delete was refused', evidence);
}

/** What a new installation holds. */
function holdingAgain(context: Context, deletion: Deletion): InstallationContents {
  const reinstalled = installedAgain(context, deletion);
  secondLoadOf(context, reinstalled.walk);
  const clause = 'install.sequence.second-load-with-auth-code';
  return context.given.present(
    reinstalled.holding,
    clause,
    'the second installation returned no authCode for the reads',
  );
}

export const checks: readonly Check[] = [
  check(
    'apps.delete.uninstalls',
    'MUST NOT count an app as installed after it calls delete',
    { ...DELETES, needs: STATES.needs, clauses: ['apps.delete.uninstalls'] },
    async (context) => {
      const { walk, before, response, after } = await deletionOf(context);
      if (before.state === undefined || after.state === undefined) {
        throw walk.stateProblem ?? new Inconclusive('the driver could not report the state', 'configuration');
      }
      context.expect.served(response, 'must accept the delete call');
      const clause = 'apps.installed.completes-installation';
      context.given.holds(before.state.installed, clause, 'the app did not count as installed before');
      context.expect.that(!after.state.installed, 'must not count the app as installed after delete', {
        expected: 'not installed',
        actual: 'installed',
        response,
      });
    },
  ),

  check(
    'apps.delete.clears-snippets',
    'MUST remove the snippets of a deleted installation from pages and reads',
    { ...DELETES, clauses: ['apps.delete.clears-snippets'] },
    async (context) => {
      const deletion = await deletionOf(context);
      const { mark, before, after, response } = deletion;
      givenHeld(context, deletion, before);
      await context.given.accepted(response, 'apps.delete.uninstalls');
      context.expect.equal(after.onPages, [], 'must remove the snippets of a deleted installation from all pages', {
        response,
      });
      const again = holdingAgain(context, deletion);
      for (const read of [after.snippet, after.languageSnippet, again.snippet, again.languageSnippet]) {
        context.expect.that(!containsMark(read, mark), 'must not return a snippet of a deleted installation', {
          expected: 'a refusal, or no snippet',
          actual: summary(read),
          response: read,
        });
      }
      const { onPages } = installedAgain(context, deletion);
      context.expect.equal(onPages, [], 'must not show them on pages again when the app is installed again', {
        response,
      });
    },
  ),

  check(
    'apps.delete.installs-without-auth-code-again',
    'MUST load the install address without an authCode when a deleted app is installed again',
    { ...DELETES, clauses: ['install.sequence.first-load-without-auth-code'] },
    async (context) => {
      const first = firstOf(context, installedAgain(context, await deletionOf(context)).walk);
      const codes = valuesOf(first, 'authCode');
      context.expect.that(codes.length === 0, 'must not send an authCode before the user has accepted again', {
        expected: 'no authCode parameter',
        actual: hasCode(first) ? 'an authCode' : 'an empty authCode',
        pointer: 'query authCode',
        exchange: first.received.exchange,
      });
    },
  ),

  check(
    'apps.delete.new-installation-not-finished',
    'MUST NOT count a deleted app that is installed again as installed before it calls installed',
    { ...DELETES, needs: STATES.needs, clauses: ['apps.installed.required'] },
    async (context) => {
      const { walk } = installedAgain(context, await deletionOf(context));
      const { received } = secondLoadOf(context, walk);
      context.expect.that(
        !stateIn(walk, walk.stateBefore).installed,
        'must not count the app as installed before the call',
        { expected: 'not installed', actual: 'installed', exchange: received.exchange },
      );
      // A driver that never sees an app as installed would pass.
      const { installed } = stateIn(walk, walk.stateAfter);
      const message = 'the app does not count as installed at all';
      context.given.holds(installed, 'apps.installed.completes-installation', message);
    },
  ),

  check(
    'apps.delete.settings-of-new-installation',
    'MUST open Settings with the authCode of the new installation after a deleted app is installed again',
    {
      ...DELETES,
      needs: [...DELETES.needs, 'driver.pressSettings'],
      clauses: ['settings.request.auth-code'],
    },
    async (context) => {
      const { walk } = installedAgain(context, await deletionOf(context));
      expectCode(context, settingsOf(context, walk), installationOf(context, walk));
    },
  ),

  check(
    'apps.delete.clears-data',
    'MUST clear the data of a deleted installation, also for a later installation',
    { ...DELETES, clauses: ['apps.delete.clears-data'] },
    async (context) => {
      const deletion = await deletionOf(context);
      const { mark, before, after } = deletion;
      givenHeld(context, deletion, before);
      await context.given.accepted(deletion.response, 'apps.delete.uninstalls');
      for (const read of [after.data, holdingAgain(context, deletion).data]) {
        context.expect.that(!containsMark(read, mark), 'must not return the data of a deleted installation', {
          expected: 'a refusal, or no data',
          actual: summary(read),
          response: read,
        });
      }
    },
  ),

  check(
    'apps.delete.observed',
    'OBSERVES how the authCode of a deleted installation is handled and whether a new one differs',
    {
      ...DELETES,
      clauses: [],
      observations: ['apps.delete.auth-code-afterwards', 'install.auth-code-on-reinstall'],
    },
    async (context) => {
      const { apps, after, afterlife, again } = await deletionOf(context);
      const { data } = after;
      const served = isServed(data) ? 'served' : 'refused';
      context.observe('apps.delete.auth-code-afterwards', `${served}, status ${data.status}`);
      // Whether that code is still served, the contract leaves open.
      const effects = [
        ...(afterlife.state?.installed === true ? ['the app counts as installed again'] : []),
        ...(afterlife.onPages.length > 0 ? ['pages show the snippet that it has set'] : []),
      ];
      if (afterlife.served.length > 0) {
        context.warn(
          `The authCode of a deleted installation is still served (${[afterlife.served.join(', '), ...effects].join('; ')}): an app that was removed goes on working on the website, and its user can't stop it.`,
        );
      }
      const next = again?.walk.apps?.authCode.reveal();
      const codeSeen =
        next === undefined ? 'no code' : next === apps.authCode.reveal() ? 'the same code' : 'another code';
      context.observe('install.auth-code-on-reinstall', `after delete: ${codeSeen}`);
    },
  ),
];
