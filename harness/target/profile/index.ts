/**
 * The target profile: one shareable file that says which service is judged, with which credentials, and what may be done to it.
 * Its shape is the table in `shape.ts`, from which `docs/profile.schema.json` is made as well.
 */

import { readFileSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import { fileText } from '../../process/file-text.ts';
import { UsageError } from '../../process/usage-error.ts';
import { isProfileModule, profileModuleText } from '../profile-module.ts';
import { JsonTextError, parseJsonText, positionOf } from '../response/json-text.ts';
import { Secret } from '../secrets/secret.ts';
import { partsOfHeader, partsOfProxy } from '../secrets/secret-parts.ts';
import { fileOf, tlsOf, whyUnreadable } from './files/index.ts';
import { isLoopbackHost } from './loopback.ts';
import { type Part, type Permission, PROFILE_SHAPE } from './shape/index.ts';
import { appsOf, deliveryOf, Fields, type ReportProblem, resellerOf, websiteOf } from './shape/parts.ts';
import { type Reading, readShape } from './shape/reader.ts';
import { checkDistinct, checkHeaders, checkLanguages } from './shape/rules.ts';
import type { Profile } from './types.ts';

export { isLoopbackHost } from './loopback.ts';
export { PARTS, type Part, PERMISSIONS, type Permission } from './shape/index.ts';

/** Gentle to a shared staging or production; a default run of some thousand requests still ends within the half hour. */
const DEFAULT_REQUESTS_PER_SECOND = 5;
/** Long enough for a slow staging that wakes up, short enough that a dead one is noticed. For one whole answer. */
export const DEFAULT_TIMEOUT_MS = 15_000;
/** More pages than a test account should have; a list that links to itself for ever ends here. */
const DEFAULT_MAX_PAGES = 200;
/** A run that takes longer is stuck, or the target is too slow for the number of checks. */
const DEFAULT_MAX_MINUTES = 30;

/** A profile has a page or two; a file of this size is something else, and would be read into memory as a whole. */
const MAX_PROFILE_BYTES = 1024 * 1024;

/** Where a profile's text comes from: `file` for messages, `folder` for relative paths, `env` for `${NAME}`. */
export interface ProfileSource {
  readonly file: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Parts that go with a whole without carrying its name. */
const WHOLE_OF: Partial<Record<Part, Part>> = {
  'delivery.private': 'delivery',
  'delivery.public': 'delivery',
  labels: 'delivery',
  checkout: 'delivery',
  install: 'apps',
};

/** Whether the profile says that the target has no such part; a whole that is absent takes its parts with it. */
export function isAbsent(profile: Pick<Profile, 'absent'>, part: Part): boolean {
  const whole = WHOLE_OF[part];
  return profile.absent.has(part) || (whole !== undefined && profile.absent.has(whole));
}

/** Whether every address of the target is on this machine. */
export function isLoopbackProfile(profile: Pick<Profile, 'v1' | 'api'>): boolean {
  const bases = [profile.v1, profile.api].filter((base) => base !== undefined);
  return bases.length > 0 && bases.every((base) => isLoopbackHost(new URL(base).hostname));
}

/** Reads and checks a profile file. Throws a `UsageError` that names file, line and column. */
export function loadProfile(file: string, env: ProfileSource['env'] = process.env): Profile {
  if (/^https?:\/\//i.test(file))
    throw new UsageError(
      `The target is an address, ${file}, where a profile belongs: write one with proofmark init --v1 ${file}, and give its name to --target.`,
    );
  if (file === '') throw new UsageError('The target profile has no name: give --target a profile file, or "mock".');
  let text: string;
  try {
    if (statSync(file).isDirectory()) throw new Error('it is a folder');
    if (statSync(file).isCharacterDevice()) throw new Error('it is a device');
    if (statSync(file).size > MAX_PROFILE_BYTES) throw new Error('it is larger than a profile can be');
    text = isProfileModule(file) ? profileModuleText(file) : fileText(readFileSync(file), file);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `The target profile ${file} can't be read: ${whyUnreadable(error)}. Give --target a profile file, or "mock".`,
    );
  }
  return parseProfile(text, { file, folder: dirname(resolve(file)), env });
}

/**
 * Reads and checks a profile's text. Throws a `UsageError` with a line `FILE:LINE:COLUMN: sentence` for each problem.
 * Secrets may be written as they are only when every address is on loopback: what `proofmark mock` prints is such a profile.
 */
export function parseProfile(text: string, source: ProfileSource): Profile {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const place = (at: number): string => {
    const { line, column } = positionOf(body, at);
    return `${source.file}:${line}:${column}`;
  };
  const reading = readText(body, source, place);
  const problems = reading.problems.map(({ at, message }) => ({ at, message }));
  const at = (path: string): number => reading.places.get(path) ?? 0;
  const complain = (path: string, message: string): void => void problems.push({ at: at(path), message });

  const root = new Fields(reading.value ?? {});
  const v1 = hrefOf(root.text('v1'));
  const api = hrefOf(root.text('api'));
  const local = isLoopbackProfile({ v1, api });
  const allow = new Set(root.texts('allow') as Permission[]);
  const website = websiteOf(root.part('website'), complain);
  checkSecrecy(reading, { v1, api, local, plainHttp: allow.has('plain-http') }, complain);
  const driver = fileOf(root.text('driver'), source.folder);
  if (driver !== undefined && !isFile(driver))
    complain('driver', `The driver module ${driver} ${isFolder(driver) ? 'is a folder' : 'does not exist'}.`);
  const tls = tlsOf(root.part('tls'), source.folder, complain);

  checkHeaders(root.part('headers')?.keys() ?? [], v1 !== undefined, complain);
  checkLanguages(root.part('website')?.texts('languages') ?? [], complain);

  const delivery = deliveryOf(root.part('delivery'));
  const apps = appsOf(root.part('apps'));
  checkDistinct(distinctValuesOf(delivery, apps), complain);

  if (problems.length > 0) {
    problems.sort((a, b) => a.at - b.at);
    throw new UsageError(problems.map((problem) => `${place(problem.at)}: ${onOneLine(problem.message)}`).join('\n'));
  }

  const listen = root.part('listen');
  const shown = reading.shareable;
  const headers = root.part('headers')?.secrets() ?? [];
  const proxy = proxyOf(root);
  const secrets = distinct([
    ...reading.secrets,
    ...(tls?.key === undefined ? [] : [tls.key]),
    ...headers.flatMap(([name, value]) => partsOfHeader(name, value)),
    ...(proxy === undefined ? [] : partsOfProxy(proxy)),
  ]);
  return {
    file: source.file,
    name: root.text('name') ?? basename(source.file, extname(source.file)),
    v1,
    api,
    delivery,
    website,
    apps,
    reseller: resellerOf(root.part('reseller')),
    absent: new Set(root.texts('absent') as Part[]),
    listen: {
      host: listen?.text('host') ?? '127.0.0.1',
      port: listen?.number('port') ?? 0,
      publicUrl: listen?.text('publicUrl'),
    },
    driver,
    allow,
    limits: limitsOf(root.part('limits'), local),
    headers,
    proxy,
    tls,
    secrets: () => [...secrets],
    toShareable: () => structuredClone(shown),
  };
}

/** The values that have to differ from each other, by their keys. */
const distinctValuesOf = (delivery: Profile['delivery'], apps: Profile['apps']) => ({
  'apps.authCode': apps?.authCode,
  'apps.otherAuthCode': apps?.otherAuthCode,
  'delivery.private.apiKey': delivery?.private?.apiKey,
  'delivery.private.otherApiKey': delivery?.private?.otherApiKey,
  'delivery.public.apiKey': delivery?.public?.apiKey,
  'delivery.public.orderUuid': delivery?.public?.orderUuid,
  'delivery.public.foreignOrderUuid': delivery?.public?.foreignOrderUuid,
});

/** A target on this machine has no limit of requests unless the profile sets one. */
const limitsOf = (limits: Fields | undefined, isLocal: boolean): Profile['limits'] => ({
  requestsPerSecond: limits?.number('requestsPerSecond') ?? (isLocal ? undefined : DEFAULT_REQUESTS_PER_SECOND),
  timeoutMs: limits?.number('timeoutMs') ?? DEFAULT_TIMEOUT_MS,
  maxPages: limits?.number('maxPages') ?? DEFAULT_MAX_PAGES,
  maxMinutes: limits?.number('maxMinutes') ?? DEFAULT_MAX_MINUTES,
});

function readText(text: string, source: ProfileSource, place: (at: number) => string): Reading {
  try {
    return readShape(parseJsonText(text, 'jsonc'), PROFILE_SHAPE, source.env);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    if (text.trim() === '') throw new UsageError(`${source.file} is empty: proofmark init writes a profile.`);
    throw new UsageError(`${place(error.at)}: ${error.message}${begins(text, error.at) ? NOT_JSON : ''}`);
  }
}

/** Whether nothing but comments comes before it. */
const begins = (text: string, at: number): boolean => !/[{["]/.test(text.slice(0, at));

/** YAML, TOML, a page of HTML, JavaScript under the wrong name. */
const NOT_JSON =
  ' A profile is JSON (comments and trailing commas are allowed), or a module with the extension .ts, .mjs or .js; proofmark init writes one.';

/** Secrets must not be in a shareable file, and must not travel in the clear. */
function checkSecrecy(
  reading: Reading,
  target: { v1: string | undefined; api: string | undefined; local: boolean; plainHttp: boolean },
  complain: ReportProblem,
): void {
  if (!target.local) {
    for (const { path, suggested } of reading.literals) {
      complain(
        path,
        `"${path}" is a secret: write "\${${suggested}}" and set that environment variable (a secret may be written here as it is only when all addresses are on this machine).`,
      );
    }
  }
  if (target.plainHttp || (reading.secrets.length === 0 && reading.literals.length === 0)) return;
  for (const [key, base] of [
    ['v1', target.v1],
    ['api', target.api],
  ] as const) {
    if (base === undefined) continue;
    const url = new URL(base);
    if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
      complain(
        key,
        `Keys would travel unencrypted to ${url.host}: use https://, or put "plain-http" into "allow" if you mean it.`,
      );
    }
  }
}

const hrefOf = (address: string | undefined): string | undefined =>
  address === undefined ? undefined : new URL(address).href;

function proxyOf(root: Fields): Secret | undefined {
  const address = root.text('proxy');
  // An address without credentials is not a secret, so it prints as it is.
  return root.secret('proxy') ?? (address === undefined ? undefined : new Secret('PROXY', address, address));
}

/** A key or a value of the file may hold a line break, or a page of text; each problem has its own line. */
const onOneLine = (message: string): string => {
  const line = message.replace(/[\r\n\u2028\u2029]+/g, ' ');
  return line.length > MAX_PROBLEM_CHARACTERS ? `${line.slice(0, MAX_PROBLEM_CHARACTERS)}…` : line;
};
const MAX_PROBLEM_CHARACTERS = 400;

/** False also for what can't be a path at all: too long, or with a zero in it. */
const isFile = (path: string): boolean => statOf(path)?.isFile() === true;
const isFolder = (path: string): boolean => statOf(path)?.isDirectory() === true;

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function distinct(secrets: readonly Secret[]): Secret[] {
  const byValue = new Map<string, Secret>();
  for (const secret of secrets) if (!byValue.has(secret.reveal())) byValue.set(secret.reveal(), secret);
  return [...byValue.values()];
}
