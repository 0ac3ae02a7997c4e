/** The parameters of the installation and of the settings request (spec: Installation and settings requests). */
import { isLanguageCode } from '../../../contracts/fields/scalars.ts';
import type { Context } from '../../../harness/check/context.ts';
import { callbackOf, type Load, parameterOf } from './user-flow.ts';

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

/** Asserts that a load carries the parameter as the contract says. */
export function expectParameter(
  context: Context,
  load: Load,
  { parameter, what, expected, holds }: LoadParameter,
): void {
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
