/** `proofmark init`: from an address to a profile, an env file to fill in and a driver, without a secret in any of them. */

import { existsSync } from 'node:fs';
import { type RecordId, storableId } from '../../contracts/json/record-ids.ts';
import { EXIT } from '../../contracts/run/verdicts.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { PERMISSIONS, parseProfile } from '../../harness/target/profile/index.ts';
import { CREDENTIALS } from './credentials.ts';
import { askForWords, askUntil, confirms, type Dialog, openDialog } from './dialog.ts';
import { existing, type Findings, filesOf, type Plan, variableOf, writeFiles } from './files.ts';
import { inspectAddress, readValues, type Transport } from './inspect.ts';
import { completed, INIT_HELP, type InitOptions, initOptionsOf, targetName } from './options.ts';

/** For tests: who answers, and what replaces the network. */
export interface InitContext {
  readonly dialog?: Dialog;
  readonly transport?: Transport;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const ADDRESSES = {
  v1: 'Base address of Delivery and Apps, ending in /v1/ (none if the target has neither)',
  api: 'Base address of Reseller, ending in /api/ (none if the target does not have it)',
} as const;

/** Returns the exit code. */
export async function initCommand(argv: readonly string[], context: InitContext = {}): Promise<number> {
  const options = initOptionsOf(argv);
  if (options.isHelp) {
    console.log(INIT_HELP);
    return 0;
  }
  const dialog = context.dialog ?? openDialog(options.isYes);
  const env = context.env ?? process.env;
  try {
    const name = options.name ?? (await askUntil(dialog, 'Name of the target', 'staging', targetName));
    const [v1, api] = [await address('v1', options, dialog, context), await address('api', options, dialog, context)];
    if (v1.address === undefined && api.address === undefined) {
      throw new UsageError('proofmark init needs the address of a service: give --v1 URL, --api URL or both.');
    }
    const plan: Plan = {
      name,
      v1: v1.address,
      api: api.address,
      credentials: await credentials(options, { v1: v1.address, api: api.address }, dialog, env),
      allow:
        options.allow ??
        (await askForWords(dialog, `What may a run do beyond reading? (${PERMISSIONS.join(', ')})`, PERMISSIONS, [])),
      absent: options.absent,
      hasDriver: options.hasDriver,
    };
    const file = options.file ?? `${name}.jsonc`;
    const findings = options.isOffline ? {} : await findingsOf(file, plan, dialog, { ...context, env });
    const files = filesOf(file, plan, findings);
    await mayOverwrite(existing(files), options, dialog);
    writeFiles(files);
    announce(
      files.map((each) => each.file),
      plan,
      dialog,
      env,
    );
    return v1.isGood && api.isGood ? EXIT.conformant : EXIT.inconclusive;
  } finally {
    dialog.close();
  }
}

interface Address {
  readonly address: string | undefined;
  readonly isGood: boolean;
}

/** Asks until an interface responds at the address, or the operator keeps the address anyway. */
async function address(
  api: 'v1' | 'api',
  options: InitOptions,
  dialog: Dialog,
  { transport }: InitContext,
): Promise<Address> {
  for (let given = options[api]; ; given = undefined) {
    const read = async (answer: string) => {
      const found = answer === 'none' ? undefined : completed(api, answer);
      const isUnseen = found === undefined || options.isOffline;
      return { found, seen: isUnseen ? undefined : await inspectAddress(api, found, transport) };
    };
    const { found, seen } = await (given === undefined ? askUntil(dialog, ADDRESSES[api], 'none', read) : read(given));
    if (found === undefined || seen === undefined) return { address: found, isGood: true };
    const { isGood, says } = seen;
    dialog.say(`${isGood ? ' ' : '!'} ${found}: ${says}`);
    if (isGood || !dialog.isInteractive || (await confirms(dialog, 'Write this address anyway?')))
      return { address: found, isGood };
  }
}

/** By flag, by question, or those that the environment has; else what an operator has first. */
async function credentials(
  options: InitOptions,
  has: Pick<Plan, 'v1' | 'api'>,
  dialog: Dialog,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  const usable = CREDENTIALS.filter(({ api }) => has[api] !== undefined);
  const names = usable.map(({ name }) => name);
  if (options.with !== undefined) {
    const lost = options.with.filter((name) => !names.includes(name));
    if (lost.length === 0) return [...options.with];
    const { api } = CREDENTIALS.find(({ name }) => name === lost[0]) ?? { api: 'v1' };
    throw new UsageError(`--with ${lost[0]} needs --${api} URL: the credential is for that interface.`);
  }
  const isSet = (key: string): boolean => (env[variableOf(key)] ?? '') !== '';
  const set = usable.filter(({ keys }) => keys.every(isSet)).map(({ name }) => name);
  const first = ['store', 'reseller'].filter((name) => names.includes(name));
  if (dialog.isInteractive) {
    dialog.say('Credentials (only named as variables; their values are never asked for or written):');
    for (const { name, about, keys } of usable)
      dialog.say(`  ${name.padEnd(20)} ${about} (${keys.map(variableOf).join(', ')})`);
  }
  return askForWords(dialog, 'Which of them do you have?', names, set.length > 0 ? set : first);
}

/** What the target shows to the credentials whose variables are set. A value is taken over only where the operator confirms it. */
async function findingsOf(
  file: string,
  plan: Plan,
  dialog: Dialog,
  { transport, env = {} }: InitContext,
): Promise<Findings> {
  const set = plan.credentials.filter((name) =>
    CREDENTIALS.find((each) => each.name === name)?.keys.every((key) => (env[variableOf(key)] ?? '') !== ''),
  );
  if (set.length === 0) return {};
  const [profile] = filesOf(file, { ...plan, credentials: set, hasDriver: false });
  const shown = await readValues(parseProfile(profile?.text ?? '', { file, folder: '.', env }), transport);
  for (const key of shown.refused)
    dialog.say(
      `! the target refuses "${key}" (${CREDENTIALS.find(({ keys }) => keys.includes(key))
        ?.keys.map(variableOf)
        .join(', ')})`,
    );
  const [languages, website] = [await languagesOf(shown.languages, dialog), await websiteOf(shown.websites, dialog)];
  return {
    ...languages,
    ...website,
    notes: { ...languages.notes, ...website.notes },
    suggested: { ...languages.suggested, ...website.suggested },
  };
}

/** The service's word alone would make its languages right whatever they are: the operator has to confirm them. */
async function languagesOf(shown: readonly string[] | undefined, dialog: Dialog): Promise<Findings> {
  if (shown === undefined) return {};
  const list = shown.join(', ');
  dialog.say(`  the service shows the languages ${list} for the website of AUTH_CODE`);
  const key = 'website.languages';
  if (!dialog.isInteractive || !(await confirms(dialog, 'Does the website have these languages, and no other?'))) {
    return {
      notes: { [key]: ['The service shows these: compare them with the settings of the website.'] },
      suggested: { [key]: shown },
    };
  }
  const [first = ''] = shown;
  const defaultLanguage =
    shown.length === 1 ? first : (await askForWords(dialog, 'Which is its default language?', shown, []))[0];
  return { languages: shown, ...(defaultLanguage === undefined ? {} : { defaultLanguage }) };
}

/** A run may disable the website and change its subscription: it is never chosen for the operator. */
async function websiteOf(
  shown: ReadonlyArray<{ id: RecordId; isPremium: boolean }> | undefined,
  dialog: Dialog,
): Promise<Findings> {
  const ids = (shown ?? []).filter(({ isPremium }) => !isPremium).map(({ id }) => id);
  if (shown === undefined || shown.length === 0) return {};
  const listed = ids.slice(0, MAX_WEBSITES).join(', ') || 'none';
  dialog.say(`  the reseller account has ${shown.length} websites; without a subscription: ${listed}`);
  const key = 'reseller.website';
  if (ids.length === 0) return {};
  const [chosen] = dialog.isInteractive ? await askForWords(dialog, 'Which of them may a run use?', ids, []) : [];
  if (chosen !== undefined) return { website: storableId(chosen) };
  return { notes: { [key]: [`Without a subscription: ${listed}.`] }, suggested: { [key]: storableId(ids[0]!) } };
}

/** As many as fit into a line. */
const MAX_WEBSITES = 10;

async function mayOverwrite(files: readonly string[], { isForced }: InitOptions, dialog: Dialog): Promise<void> {
  if (files.length === 0 || isForced) return;
  const what = files.join(', ');
  if (dialog.isInteractive && (await confirms(dialog, `Overwrite ${what}?`))) return;
  throw new UsageError(
    `${what} ${files.length === 1 ? 'exists' : 'exist'}: nothing was written. Give another FILE, or --force to overwrite.`,
  );
}

/** Prints what is left to do. An env file that exists may hold the operator's keys: no command is printed that overwrites it. */
function announce(
  files: readonly string[],
  plan: Plan,
  dialog: Dialog,
  variables: Readonly<Record<string, string | undefined>>,
): void {
  const [profile = '', example = ''] = files;
  const env = example.replace(/\.example$/, '');
  const isMissing = (name: string): boolean => (variables[name] ?? '') === '';
  const needed = CREDENTIALS.filter(({ name }) => plan.credentials.includes(name)).flatMap(({ keys }) =>
    keys.map(variableOf),
  );
  const missing = needed.filter(isMissing);
  for (const line of [
    '',
    `Wrote ${files.join(', ')}.`,
    '',
    'Next:',
    ...(existsSync(env) ? [] : [`  cp ${example} ${env}`]),
    ...(needed.length > 0 && missing.length === 0
      ? []
      : [
          `  fill in ${missing.join(', ') || 'the variables that you need'} in ${env}, and keep that file out of version control`,
        ]),
    `  npx proofmark doctor --target ${profile} --env-file ${env}`,
    `  npx proofmark run --target ${profile} --env-file ${env}`,
  ])
    dialog.say(line);
}
