/** The parameters of the installation and of the settings request (spec: Installation and settings requests). */
import { isLanguageCode } from '../../../contracts/fields/scalars.ts';
import type { Context } from '../../../harness/check/context.ts';
import { callbackOf, type Load, parameterOf, type Walk } from './user-flow.ts';

type LoadParameterName = 'app-id' | 'language' | 'callback' | 'platform-version';

/** A parameter of the installation and settings requests. */
export interface LoadParameter {
  /** Names it where suites list their ids. */
  readonly name: LoadParameterName;
  readonly parameter: string;
  /** Reads as the end of a title. */
  readonly what: string;
  readonly expected: (context: Context) => string;
  readonly holds: (context: Context, value: string | undefined, load: Load) => boolean;
  readonly needs?: readonly string[];
}

/** The parameters that both requests carry, and what holds of each. */
export const PARAMETERS: readonly LoadParameter[] = [
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

/** States that the appId of the profile is the app's: loads that agree on another one may be right. */
function givenAppId(context: Context, { first, second, settings }: Walk): void {
  const loads = [first, second, settings].filter((load) => load !== undefined);
  const ids = new Set(loads.map((load) => parameterOf(load, 'appId')));
  const [sent] = ids;
  if (ids.size !== 1 || loads.length < 2 || sent === undefined || sent === '') return;
  if (sent === context.profile.apps?.appId) return;
  context.vouchedFor(
    'apps.appId',
    `Every load of the app carries the appId ${JSON.stringify(sent)}, which is not that of the profile`,
    'write the id under which the catalog lists the app that registerApp() of the driver configures',
  );
}

/** Asserts that a load of a walk carries the parameter as the contract says. */
export function expectParameter(
  context: Context,
  walk: Walk,
  load: Load,
  { parameter, what, expected, holds }: LoadParameter,
): void {
  if (parameter === 'appId') givenAppId(context, walk);
  const value = parameterOf(load, parameter);
  context.expect.that(holds(context, value, load), `must send ${what} with every load of the app`, {
    expected: expected(context),
    actual: value ?? 'no such parameter',
    pointer: `query ${parameter}`,
    exchange: load.received.exchange,
  });
}

/** The parameter of this name. */
export const loadParameter = (name: LoadParameterName): LoadParameter =>
  PARAMETERS.find((parameter) => parameter.name === name)!;
