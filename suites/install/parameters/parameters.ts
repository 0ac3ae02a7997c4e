/** The parameters of the installation and of the settings request (spec: Installation and settings requests). */
import { isLanguageCode } from '../../../contracts/fields/scalars.ts';
import { type Check, type CheckTitle, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { INSTALLS } from '../sequence/sequence.ts';
import { firstOf, installationOf, secondOf, settingsOf, walkOf } from '../steps/reading.ts';
import { callbackOf, type Load, parameterOf } from '../steps/user-flow.ts';

/** What the checks of the settings request need beside an installation. */
export const SETTINGS = { ...INSTALLS, needs: [...INSTALLS.needs, 'driver.pressSettings'] };

interface Parameter {
  /** Ends the ids of its checks. */
  readonly name: string;
  readonly parameter: string;
  /** Reads as the end of a title. */
  readonly what: string;
  readonly expected: (context: Context) => string;
  readonly holds: (context: Context, value: string | undefined, load: Load) => boolean;
  readonly needs?: readonly string[];
}

const PARAMETERS: readonly Parameter[] = [
  {
    name: 'app-id',
    parameter: 'appId',
    what: 'the appId of the app',
    expected: ({ profile }) => profile.apps?.appId ?? '',
    holds: ({ profile }, value) => value === profile.apps?.appId,
    needs: ['apps.appId'],
  },
  {
    name: 'language',
    parameter: 'language',
    what: "the user's language as a code",
    expected: () => 'a language code',
    holds: (_context, value) => isLanguageCode(value),
  },
  {
    name: 'callback',
    parameter: 'callback',
    what: 'the callback as a full web address',
    expected: () => 'an https or http address with a host',
    holds: (_context, _value, load) => callbackOf(load) !== undefined,
  },
  {
    name: 'platform-version',
    parameter: 'platformVersion',
    what: 'the platformVersion',
    expected: () => 'a text that is not empty',
    holds: (_context, value) => value !== undefined && value !== '',
  },
];

function expectParameter(context: Context, load: Load, { parameter, what, expected, holds }: Parameter): void {
  const value = parameterOf(load, parameter);
  context.expect.that(holds(context, value, load), `must send ${what} with every load of the app`, {
    expected: expected(context),
    actual: value ?? 'no such parameter',
    pointer: `query ${parameter}`,
    exchange: load.received.exchange,
  });
}

const installTitle = ({ what }: Parameter): CheckTitle => `MUST send ${what} with both loads of the install address`;
const settingsTitle = ({ what }: Parameter): CheckTitle => `MUST send ${what} with the settings request`;

export const checks: readonly Check[] = [
  ...PARAMETERS.map((parameter) =>
    check(
      `install.parameters.${parameter.name}`,
      installTitle(parameter),
      {
        ...INSTALLS,
        needs: [...INSTALLS.needs, ...(parameter.needs ?? [])],
        clauses: [`install.parameters.${parameter.name}`],
      },
      async (context) => {
        const walk = await walkOf(context, 'self');
        expectParameter(context, firstOf(context, walk), parameter);
        expectParameter(context, secondOf(context, walk), parameter);
      },
    ),
  ),

  check(
    'install.parameters.callback-without-query',
    'SHOULD issue callbacks without a query, since apps append theirs after a question mark',
    { ...INSTALLS, clauses: ['install.parameters.callback-without-query'] },
    async (context) => {
      const walk = await walkOf(context, 'self');
      for (const load of [firstOf(context, walk), secondOf(context, walk)]) {
        const { exchange } = load.received;
        const clause = 'install.parameters.callback';
        const callback = context.given.present(callbackOf(load), clause, 'a load named no callback', { exchange });
        context.expect.that(!/[?#]/.test(callback), 'should issue callbacks without a query or fragment', {
          expected: 'an address that ends with its path',
          actual: callback,
          pointer: 'query callback',
          exchange,
        });
      }
    },
  ),

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

  ...PARAMETERS.map((parameter) =>
    check(
      `settings.request.${parameter.name}`,
      settingsTitle(parameter),
      {
        ...SETTINGS,
        needs: [...SETTINGS.needs, ...(parameter.needs ?? [])],
        clauses: [`settings.request.${parameter.name}`],
      },
      async (context) => {
        expectParameter(context, settingsOf(context, await walkOf(context, 'self')), parameter);
      },
    ),
  ),
];
