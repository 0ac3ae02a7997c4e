import { type Check, check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import type { CheckTitle } from '../../harness/check/facts.ts';
import type { Apps } from '../../harness/target/interfaces/apps.ts';
import { INSTALLS } from '../install/sequence/sequence.ts';
import { expectHash } from '../install/steps/hash.ts';
import { expectParameter, loadParameter } from '../install/steps/parameters.ts';
import { installationOf, settingsOf, walkOf } from '../install/steps/reading.ts';
import { type Load, valuesOf } from '../install/steps/user-flow.ts';

/** What the checks of the settings request need beside an installation. */
const SETTINGS = { ...INSTALLS, needs: [...INSTALLS.needs, 'driver.pressSettings'] };

const parameterCheck = (id: string, name: Parameters<typeof loadParameter>[0]): Check => {
  const parameter = loadParameter(name);
  const title: CheckTitle = `MUST send ${parameter.what} with the settings request`;
  const needs = [...SETTINGS.needs, ...(parameter.needs ?? [])];
  return check(id, title, { ...SETTINGS, needs, clauses: [id] }, async (context) => {
    for (const shape of ['self', 'blank'] as const) {
      const walk = await walkOf(context, shape);
      expectParameter(context, walk, settingsOf(context, walk), parameter);
    }
  });
};

/** Asserts that a settings request has the code of the installation whose Settings was pressed, and no other one. */
export function expectCode({ expect }: Context, load: Load, { authCode }: Apps): void {
  const codes = valuesOf(load, 'authCode');
  const isOwn = codes.length > 0 && codes.every((code) => code === authCode.reveal());
  expect.that(isOwn, 'must send the code of the installation whose Settings was pressed', {
    expected: 'the authCode of the installation',
    actual: codes.length === 0 ? 'no authCode' : 'another value',
    pointer: 'query authCode',
    exchange: load.received.exchange,
  });
}

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
      const [self, blank] = [await walkOf(context, 'self'), await walkOf(context, 'blank')];
      for (const walk of [self, blank]) expectCode(context, settingsOf(context, walk), installationOf(context, walk));
      if (blank.settingsOfEarlier !== undefined)
        expectCode(context, blank.settingsOfEarlier, installationOf(context, self));
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
