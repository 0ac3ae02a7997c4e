/** The parameters of the installation and of the settings request (spec: Installation and settings requests). */
import { LOAD_PARAMETERS, type LoadParameterName } from '../../../contracts/fields/catalogue/app-load.ts';
import type { Context } from '../../../harness/check/context.ts';
import { type Load, parameterOf, valuesOf, type Walk } from './user-flow.ts';

/** A parameter of the installation and settings requests. */
export interface LoadParameter {
  readonly parameter: LoadParameterName;
  /** Reads as the end of a title. */
  readonly what: string;
  readonly expected: (context: Context) => string;
  readonly holds: (context: Context, value: string | undefined) => boolean;
  readonly needs?: readonly string[];
}

/** A parameter of which a run knows no more than the contract says. */
const stated = (parameter: LoadParameterName, what: string): LoadParameter => ({
  parameter,
  what,
  expected: () => LOAD_PARAMETERS[parameter].expected,
  holds: (_context, value) => LOAD_PARAMETERS[parameter].holds(value),
});

/** The parameters that both requests carry, and what holds of each. */
const PARAMETERS = {
  appId: {
    parameter: 'appId',
    what: 'the appId of the app',
    expected: ({ profile }) => profile.apps?.appId ?? '',
    holds: ({ profile }, value) => value === profile.apps?.appId,
    needs: ['apps.appId'],
  },
  language: stated('language', "the user's language as a code"),
  callback: stated('callback', 'the callback as a full web address'),
  platformVersion: stated('platformVersion', 'the platformVersion'),
} satisfies Record<Exclude<LoadParameterName, 'authCode'>, LoadParameter>;

/** States that the appId of the profile is the app's: loads that agree on another one may be right. */
function givenAppId(context: Context, { first, second, settings }: Walk): void {
  const loads = [first, second, settings].filter((load) => load !== undefined);
  const ids = new Set(loads.map((load) => parameterOf(load, 'appId')));
  const [sent] = ids;
  if (ids.size !== 1 || loads.length < 2 || sent === undefined || sent === '') return;
  if (sent === context.profile.apps?.appId) return;
  context.vouchedFor(
    'apps.appId',
    `Every load of the app has the appId ${JSON.stringify(sent)}, which is not that of the profile`,
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
  const values = valuesOf(load, parameter);
  const value = values.find((one) => !holds(context, one)) ?? values[0];
  context.expect.that(holds(context, value), `must send ${what} with every load of the app`, {
    expected: expected(context),
    actual: value ?? 'no such parameter',
    pointer: `query ${parameter}`,
    exchange: load.received.exchange,
  });
}

/** The parameter of this name. */
export const loadParameter = (name: keyof typeof PARAMETERS): LoadParameter => PARAMETERS[name];
