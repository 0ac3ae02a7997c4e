/** The command line that `precheck app` and `precheck delivery` share. */
import type { ParseArgsOptionsConfig } from 'node:util';
import { checkPackagePath, PACKAGE_HELP } from '../../harness/evidence/package/write.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { readFileOf } from '../common/files/read-file.ts';
import { type flagsOf, wholeNumber } from '../common/flags.ts';

export const COMMON_FLAGS = {
  manifest: { type: 'string' },
  'api-key-file': { type: 'string' },
  'api-key': { type: 'string' },
  port: { type: 'string' },
  https: { type: 'boolean', default: false },
  'public-url': { type: 'string' },
  ca: { type: 'string' },
  driver: { type: 'string' },
  out: { type: 'string', default: 'reports/latest' },
  package: { type: 'string' },
  hold: { type: 'boolean', default: false },
  wait: { type: 'string' },
  only: { type: 'string', multiple: true, default: [] },
  'allow-inconclusive': { type: 'boolean', default: false },
  'no-trace': { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const satisfies ParseArgsOptionsConfig;

/** Names the variable that holds the key: a command line is readable by every user of the machine. */
export const KEY_VARIABLE = 'PROOFMARK_API_KEY';

export const COMMON_HELP = `  The integration calls the service with a key of 8 characters or more. Give it in the environment variable
  ${KEY_VARIABLE}, in a file, or on the command line, where every user of this machine and the history of the shell
  can see it. Without one, a new key is made and printed.

  --api-key-file FILE    a file that holds the key and nothing else
  --api-key KEY          the key itself; prefer the variable or a file
  --port N               port of the service on 127.0.0.1 (default: 4010; 0 takes any free one)
  --https                serve with a self-signed certificate, whose file is printed
  --public-url URL       where the integration reaches the service from outside (a tunnel to the port)
  --ca FILE              PEM file of the authority that issued the integration's certificate
  --driver FILE          a module that knows the integration's own pages (docs/integrator.md)
  --out DIR              where the reports go (default: reports/latest)
${PACKAGE_HELP}
  --hold                 keep the service open for a person to click through; the traffic is judged at the end
  --wait SECONDS         how long to wait for the integration to respond (default: 120)
  --only GLOB            only the checks whose id matches (may be given several times)
  --allow-inconclusive   exit 0 instead of 3 when nothing failed and something could not be decided
  --no-trace             keep no Playwright trace of browser steps that failed
  --list                 print the checks instead of running them`;

/** The values of the flags that both kinds have. */
export interface CommonOptions {
  /** Undefined for a private integration, which has none. */
  readonly manifest: string | undefined;
  readonly apiKey: string | undefined;
  /** Where the key came from, for people: `PROOFMARK_API_KEY`. */
  readonly apiKeyFrom: string | undefined;
  readonly port: number;
  readonly https: boolean;
  readonly publicUrl: string | undefined;
  /** PEM text. */
  readonly ca: string | undefined;
  readonly driver: string | undefined;
  readonly out: string;
  readonly package: string | undefined;
  readonly hold: boolean;
  readonly waitMs: number;
  readonly only: readonly string[];
  readonly allowInconclusive: boolean;
  /** Whether traces of browser steps that failed are kept. */
  readonly keepsTraces: boolean;
}

const DEFAULT_PORT = 4010;
/** Long enough to start an app by hand after having read what it needs. */
const DEFAULT_WAIT_SECONDS = 120;
const MAX_WAIT_SECONDS = 3_600;
/** Shorter keys are not credible, and would occur everywhere by chance. */
const MIN_KEY_CHARS = 8;

/** What the command line gave for the flags that both kinds have. */
export type CommonValues = ReturnType<typeof flagsOf<typeof COMMON_FLAGS>>['values'];

/** Throws a UsageError with one sentence for what can't be used. */
export function commonOptionsOf(values: CommonValues): CommonOptions {
  if (values.manifest === '') throw new UsageError('--manifest takes a file or an address.');
  const { key, from } = keyOf(values);
  checkPackagePath(values.package);
  const seconds = wholeNumber('wait', values.wait, 0, MAX_WAIT_SECONDS) ?? DEFAULT_WAIT_SECONDS;
  return {
    manifest: values.manifest,
    apiKey: key,
    apiKeyFrom: from,
    port: wholeNumber('port', values.port, 0, 65_535) ?? DEFAULT_PORT,
    https: values.https === true,
    publicUrl: publicUrlOf(values['public-url']),
    ca: values.ca === undefined ? undefined : pemOf(values.ca),
    driver: values.driver,
    out: values.out ?? 'reports/latest',
    package: values.package,
    hold: values.hold === true,
    waitMs: seconds * 1000,
    only: values.only ?? [],
    allowInconclusive: values['allow-inconclusive'] === true,
    keepsTraces: values['no-trace'] !== true,
  };
}

function keyOf(values: CommonValues): { readonly key: string | undefined; readonly from: string | undefined } {
  const { 'api-key': given, 'api-key-file': file } = values;
  if (given !== undefined && file !== undefined)
    throw new UsageError('--api-key and --api-key-file were both given: give one of them.');
  const variable = process.env[KEY_VARIABLE];
  const [key, from] =
    file !== undefined
      ? [readFileOf(file, '--api-key-file').trim(), '--api-key-file']
      : given !== undefined
        ? [given, '--api-key']
        : variable !== undefined && variable !== ''
          ? [variable, KEY_VARIABLE]
          : [];
  if (key !== undefined && (key.length < MIN_KEY_CHARS || !/^[\x21-\x7e]+$/.test(key)))
    throw new UsageError(`${from} takes a key of ${MIN_KEY_CHARS} or more printable characters without spaces.`);
  return { key, from };
}

function publicUrlOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`--public-url takes a web address such as https://tunnel.example/, not "${text}".`);
  const { origin, pathname, search } = new URL(text);
  if (pathname !== '/' || search !== '')
    throw new UsageError('--public-url takes an address without a path: the service is at its root.');
  return origin;
}

function pemOf(file: string): string {
  const text = readFileOf(file, '--ca');
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new UsageError(`${file} contains no PEM certificate: correct --ca.`);
  return text;
}
