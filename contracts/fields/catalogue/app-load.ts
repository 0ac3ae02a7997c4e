/** Parameters of the requests that load an app's pages (spec: Installation and settings requests), in the order of the contract. */
import { isFullAddress } from '../forms.ts';
import { isLanguageCode } from '../scalars.ts';

interface LoadParameterRow {
  /** Clauses that the installation and the settings request break without a right value. */
  readonly install: string;
  readonly settings: string;
  readonly holds: (value: unknown) => value is string;
  readonly expected: string;
  /** The first installation request comes without it. */
  readonly isLater?: true;
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';

export const LOAD_PARAMETERS = {
  authCode: {
    install: 'install.sequence.second-load-with-auth-code',
    settings: 'settings.request.auth-code',
    holds: isFilled,
    expected: 'a code',
    isLater: true,
  },
  appId: {
    install: 'install.parameters.app-id',
    settings: 'settings.request.app-id',
    holds: isFilled,
    expected: 'the id of the app',
  },
  language: {
    install: 'install.parameters.language',
    settings: 'settings.request.language',
    holds: isLanguageCode,
    expected: 'a language code',
  },
  callback: {
    install: 'install.parameters.callback',
    settings: 'settings.request.callback',
    holds: isFullAddress,
    expected: 'an https or http address with a host',
  },
  platformVersion: {
    install: 'install.parameters.platform-version',
    settings: 'settings.request.platform-version',
    holds: (value): value is string => isFilled(value) && /\d/.test(value),
    expected: 'a version number',
  },
} as const satisfies Readonly<Record<string, LoadParameterRow>>;

export type LoadParameterName = keyof typeof LOAD_PARAMETERS;

export const LOAD_ROWS = Object.entries(LOAD_PARAMETERS) as readonly (readonly [LoadParameterName, LoadParameterRow])[];
