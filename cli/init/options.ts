/** The flags of `proofmark init`, and how an address is completed. */
import { UsageError } from '../../harness/process/usage-error.ts';
import { isLoopbackHost, PARTS, type Part, PERMISSIONS, type Permission } from '../../harness/target/profile/index.ts';
import { flagsOf } from '../common/flags.ts';
import { CREDENTIALS } from './credentials.ts';
import { unknownWord } from './dialog.ts';

const NAMES = CREDENTIALS.map(({ name }) => name);

export const INIT_HELP = `Usage: proofmark init [FILE] [--v1 URL] [--api URL] [OPTION …]

Writes what a run needs: a target profile in which every key is explained, an env file to fill in (.env.example), and a driver
to fill in. Addresses are tried with one call each; credentials whose variables are set are used to read languages and
websites. On a terminal it asks for what the flags leave open. It never writes a secret.

  FILE               the profile (default: NAME.jsonc)
  --name NAME        what reports call the target (default: staging)
  --v1 URL           base address of Delivery and Apps; /v1/ is added where it is missing
  --api URL          base address of Reseller; /api/ is added where it is missing
  --with NAME,…      the credentials that you have (default: those whose variables are set, else the first of each address).
                     Any of:
${CREDENTIALS.map(({ name, about }) => `                       ${name.padEnd(20)} ${about}`).join('\n')}
  --allow NAME,…     what a run may do beyond reading; any of ${PERMISSIONS.join(', ')}
  --absent PART,…    parts that the target does not have; any of ${PARTS.join(', ')}
  --no-driver        write no driver
  --offline          send nothing
  --env-file FILE    read variables from this file
  --yes              ask nothing, as without a terminal
  --force            overwrite files that exist

Exit codes: 0 written, 2 usage or files that exist, 3 written, but an address does not respond as it should,
4 an error of Proofmark.`;

const OPTIONS = {
  name: { type: 'string' },
  v1: { type: 'string' },
  api: { type: 'string' },
  with: { type: 'string', multiple: true },
  allow: { type: 'string', multiple: true },
  absent: { type: 'string', multiple: true },
  'no-driver': { type: 'boolean', default: false },
  offline: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

export interface InitOptions {
  readonly file: string | undefined;
  readonly name: string | undefined;
  readonly v1: string | undefined;
  readonly api: string | undefined;
  readonly with: readonly string[] | undefined;
  readonly allow: readonly Permission[] | undefined;
  readonly absent: readonly Part[];
  readonly hasDriver: boolean;
  readonly isOffline: boolean;
  readonly isYes: boolean;
  readonly isForced: boolean;
  readonly isHelp: boolean;
}

/** Throws a UsageError with one sentence. */
export function initOptionsOf(argv: readonly string[]): InitOptions {
  const { values, positionals } = flagsOf('init', argv, OPTIONS, 1);
  return {
    file: positionals[0] === undefined ? undefined : profileFile(positionals[0]),
    name: values.name === undefined ? undefined : targetName(values.name),
    v1: completed('v1', values.v1),
    api: completed('api', values.api),
    with: known('with', values.with, NAMES),
    allow: known('allow', values.allow, PERMISSIONS),
    absent: known('absent', values.absent, PARTS) ?? [],
    hasDriver: !values['no-driver'],
    isOffline: values.offline,
    isYes: values.yes,
    isForced: values.force,
    isHelp: values.help,
  };
}

/** Throws a UsageError for a name that no file can have. */
export function targetName(name: string): string {
  if (/^[\w][\w.-]{0,80}$/.test(name)) return name;
  throw new UsageError(
    `The name "${name}" has characters that a file name should not have: use letters, digits, - and _.`,
  );
}

/** Throws a UsageError for a file that `run` would read as a module. */
function profileFile(file: string): string {
  if (/\.jsonc?$/.test(file)) return file;
  throw new UsageError(
    `proofmark init writes a profile as JSON with comments: name it ${file.replace(/\.\w*$/, '')}.jsonc.`,
  );
}

function known<W extends string>(
  flag: string,
  given: readonly string[] | undefined,
  words: readonly W[],
): W[] | undefined {
  // As in the answers of the dialog, commas separate as well.
  const all = given?.flatMap((text) => text.split(/[\s,]+/)).filter((word) => word !== '');
  for (const word of all ?? []) {
    if (!(words as readonly string[]).includes(word)) throw new UsageError(`--${flag}: ${unknownWord(word, words)}`);
  }
  return all as W[] | undefined;
}

/** An address as a profile takes it: with a scheme, and ending as the interface's base does. */
export function completed(api: 'v1' | 'api', text: string | undefined): string | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const given = text.trim();
  const host = given.replace(/^\/*/, '').split(/[/:?#]/, 1)[0] ?? '';
  const address = given.includes('://') ? given : `${isLoopbackHost(host) ? 'http' : 'https'}://${given}`;
  if (!URL.canParse(address))
    throw new UsageError(`--${api}: "${given}" is not an address: write https://host.example/${api}/.`);
  const url = new URL(address);
  if (url.pathname.endsWith(`/${api}/`)) return url.href;
  url.pathname = `${url.pathname}/`.endsWith(`/${api}/`)
    ? `${url.pathname}/`
    : `${url.pathname.replace(/(?<!\/)\/*$/, '')}/${api}/`;
  return url.href;
}
