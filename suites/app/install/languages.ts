/**
 * Users of languages that the app may have no texts in, of later platformVersions and of another form of the callback: their loads are
 * authentic like any other.
 */
import { pairsOf } from '../../../contracts/install-hash/index.ts';
import { curlOf } from '../../../harness/evidence/curl.ts';
import { failsForItself } from '../../../harness/integrator/own-failure.ts';
import { isOverloaded } from '../../../harness/integrator/page/inspection/page-inspection.ts';
import { type AppCheck, appCheck } from '../session.ts';
import {
  inLanguage,
  inLaterVersions,
  OTHER_LANGUAGES,
  parameterOf,
  parametersOf,
  withSlashInCallback,
} from '../steps/address.ts';
import { exchangesOf, isInstalledCall } from '../steps/effects.ts';
import { givenFirst, givenInstalled, installWaitMs, pace } from '../steps/given.ts';
import { authenticLoads, givenNotLimited, type Outcome, secondLoads, UNALTERED } from '../steps/loads/index.ts';
import { givenStillServed } from '../steps/still-served.ts';
import { ADDRESS_CHANGED, leadsTo, missingFrom } from '../steps/user-flow/returned.ts';

export const checks: readonly AppCheck[] = [
  appCheck(
    'app.install.any-language',
    'MUST redirect users of any language, also after an update of the service, and finish the installation',
    { clauses: ['app.install.first-load-redirects'], needs: ['browser', 'app'] },
    async (context) => {
      const { expect, given, session } = context;
      await givenFirst(context);
      const { first: waitMs } = await pace(context);
      const ways = OTHER_LANGUAGES.map((language) => inLanguage(session, language));
      const others = [...ways, ...inLaterVersions(session), withSlashInCallback(session)];
      const outcomes = await authenticLoads(context, others, waitMs);
      context.restOn(exchangesOf(outcomes.map(({ callback }) => callback)));
      const refused = outcomes.filter(({ callback }) => callback === undefined);
      if (refused.length > 0) await givenStillServed(context);
      expect.that(refused.length === 0, `the app must redirect ${refused.map(({ change }) => change).join('; ')}`, {
        ...(refused[0] === undefined
          ? {}
          : {
              actual: `status ${refused[0].snapshot.status}`,
              curl: curlOf({ method: 'GET', url: refused[0].address }, session.redaction),
            }),
      });
      for (const { change, address, callback } of outcomes) {
        if (callback === undefined) continue;
        const sent = parametersOf(address);
        const { exchange } = callback;
        const missing = missingFrom(pairsOf(callback.query), sent);
        const changed = `the redirect after ${change} does not return its parameters unchanged: ${missing.join(', ')}`;
        given.holds(missing.length === 0, 'app.install.redirect-keeps-parameters', changed, { exchange });
        const to = parameterOf(sent, 'callback') ?? '';
        expect.that(leadsTo(callback, to), ADDRESS_CHANGED, {
          expected: to,
          actual: `${callback.headers.host ?? ''}${callback.path}`,
          exchange,
        });
      }
      await givenInstalled(context);
      const isInstalled = ({ calls }: Pick<Outcome, 'calls'>): boolean => calls.some(isInstalledCall);
      const how = { waitMs: await installWaitMs(context), until: isInstalled };
      const installedBy = async (way = UNALTERED) => (await secondLoads(context, [way], how, 'alone'))[0];
      const isOwnFailure = (): Promise<boolean> =>
        failsForItself({
          again: async () => {
            const again = await installedBy(ways[0]);
            return again === undefined || isInstalled(again) ? undefined : again.snapshot;
          },
          control: async () => (await installedBy())?.calls.some(isInstalledCall) === true,
        });
      const outcome = await installedBy(ways[0]);
      const isFinished = outcome !== undefined && isInstalled(outcome);
      if (outcome !== undefined && !isFinished && isOverloaded(outcome.snapshot) && !(await isOwnFailure()))
        givenNotLimited(outcome);
      context.restOn(exchangesOf(outcome?.calls.slice(0, 1) ?? []));
      given.holds(isFinished, 'app.install.calls-installed', `the app does not finish ${ways[0]?.change}`, {
        actual: `status ${outcome?.snapshot.status}`,
      });
      const isBroken = (outcome?.snapshot.status ?? 0) >= 500;
      given.holds(!isBroken, 'app.install.shows-page', `the app fails after it has finished ${ways[0]?.change}`, {
        actual: `status ${outcome?.snapshot.status}`,
      });
    },
  ),
];
