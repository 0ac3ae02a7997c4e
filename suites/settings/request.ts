import { type Check, check } from '../../harness/check/check.ts';
import type { CheckTitle } from '../../harness/check/facts.ts';
import { INSTALLS } from '../install/sequence/sequence.ts';
import { expectHash } from '../install/steps/hash.ts';
import { expectParameter, loadParameter } from '../install/steps/parameters.ts';
import { installationOf, settingsOf, walkOf } from '../install/steps/reading.ts';
import { parameterOf } from '../install/steps/user-flow.ts';

/** What the checks of the settings request need beside an installation. */
const SETTINGS = { ...INSTALLS, needs: [...INSTALLS.needs, 'driver.pressSettings'] };

const parameterCheck = (id: string, name: Parameters<typeof loadParameter>[0]): Check => {
  const parameter = loadParameter(name);
  const title: CheckTitle = `MUST send ${parameter.what} with the settings request`;
  const needs = [...SETTINGS.needs, ...(parameter.needs ?? [])];
  return check(id, title, { ...SETTINGS, needs, clauses: [id] }, async (context) => {
    const walk = await walkOf(context, 'self');
    expectParameter(context, walk, settingsOf(context, walk), parameter);
  });
};

export const checks: readonly Check[] = [
  check(
    'settings.request.loads-settings-url',
    "MUST load the app's settings address when Settings is pressed",
    { ...SETTINGS, clauses: ['settings.request.loads-settings-url'] },
    async (context) => {
      for (const shape of ['self', 'blank'] as const) {
        const walk = await walkOf(context, shape);
        installationOf(context, walk);
        if (walk.settings === undefined && walk.settingsProblem !== undefined) throw walk.settingsProblem;
        context.expect.that(walk.settings !== undefined, 'must load the settings address when Settings is pressed', {
          expected: `GET ${walk.app.settingsUrl}`,
          actual: 'nothing was loaded',
        });
      }
    },
  ),

  check(
    'settings.request.auth-code',
    'MUST send the authCode of the installation with the settings request',
    { ...SETTINGS, clauses: ['settings.request.auth-code'] },
    async (context) => {
      for (const shape of ['self', 'blank'] as const) {
        const walk = await walkOf(context, shape);
        const load = settingsOf(context, walk);
        const code = parameterOf(load, 'authCode');
        const own = installationOf(context, walk).authCode;
        context.expect.that(
          code === own.reveal(),
          'must send the code of the installation whose Settings was pressed',
          {
            expected: 'the authCode of the installation',
            actual: code === undefined ? 'no authCode' : 'another value',
            pointer: 'query authCode',
            exchange: load.received.exchange,
          },
        );
      }
    },
  ),

  parameterCheck('settings.request.app-id', 'appId'),
  parameterCheck('settings.request.language', 'language'),
  parameterCheck('settings.request.callback', 'callback'),
  parameterCheck('settings.request.platform-version', 'platformVersion'),

  check(
    'settings.request.hash-correct',
    "MUST hash the query of the settings request with the app's secret",
    { ...SETTINGS, needs: [...SETTINGS.needs, 'apps.appSecret'], clauses: ['settings.request.hash-correct'] },
    async (context) => {
      await expectHash(context, settingsOf(context, await walkOf(context, 'self')), 'the settings request');
    },
  ),
];
