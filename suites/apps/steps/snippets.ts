/** Reading and setting snippets of an installation that was there before: what it held is written down first and put back. */
import { isUnset } from '../../../contracts/fields/unset.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import { GivenFailure } from '../../../harness/check/failures.ts';
import type { Installation } from '../../../harness/cleanup/ledger.ts';
import type { Resources } from '../../../harness/resources/resources.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Apps } from '../../../harness/target/interfaces/apps.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { isNeverSet } from './never-set.ts';
import { givenServedLikeFirst } from './second-installation.ts';
import { isTracked, trackOnce } from './tracked.ts';

/** Where a snippet is kept: for all pages of a website, or for those in one language. */
export interface Slot {
  readonly apps: Apps;
  readonly installation: Installation;
  readonly language?: string;
}

export const defaultSlot = (context: Context): Slot => ({ apps: context.apps, installation: 'own' });
export const languageSlot = (context: Context, language: string): Slot => ({ ...defaultSlot(context), language });

/** The clause that says that a snippet of this slot reads back. */
export const keptClause = ({ language }: Slot): string =>
  language === undefined ? 'apps.snippet.default-kept' : 'apps.snippet.language-kept';

export const nameOf = ({ language }: Slot): string =>
  language === undefined ? 'the snippet for all pages' : `the snippet for pages in ${language}`;

/** The languages of the website: as the profile knows them, else as the target lists them. */
export async function languagesOf(context: Context): Promise<readonly string[]> {
  const known = context.profile.website?.languages ?? [];
  if (known.length > 0) return known;
  const response = await context.given.accepted(
    context.send(context.apps.getLanguages(), 'given'),
    'apps.credentials.accepted',
  );
  const listed = isJsonObject(response.json) && Array.isArray(response.json.languages) ? response.json.languages : [];
  const languages = listed.filter((code) => typeof code === 'string' && code !== '');
  context.given.holds(languages.length > 0, 'apps.languages.array', `no languages are listed: ${summary(response)}`, {
    response,
  });
  return languages as string[];
}

/** The snippet in a response, alone or nested once more under its own name; the empty text if the response has no snippet. */
export function snippetIn(response: ServiceResponse): unknown {
  const value = isJsonObject(response.json) ? response.json.snippet : undefined;
  const inner = isJsonObject(value) ? value.snippet : value;
  return isUnset(inner) ? '' : inner;
}

/**
 * Reads what is there and has it put back in the end; returns it. What can't be read can't be put back, so nothing
 * may be set then: that fails the checks that `judge` the keeping of snippets, and decides no other.
 */
export async function saveForRestore(context: Context, slot: Slot, judge = false): Promise<string> {
  const { expect } = context;
  const response = await context.send(slot.apps.snippetIn(slot.language), 'old value');
  const old = isNeverSet(response) ? '' : isServed(response) ? snippetIn(response) : undefined;
  const what = `${nameOf(slot)} must be returned as a string`;
  if (typeof old !== 'string') {
    if (judge) expect.that(false, what, { actual: summary(response), response });
    throw new GivenFailure(
      `${what}: ${summary(response)}`,
      keptClause(slot),
      { response },
      isServed(response) ? 'deviation' : 'refusal',
    );
  }
  const { installation, language } = slot;
  const before = await beforeRun(context, slot, old);
  trackOnce(context, {
    kind: 'snippet',
    installation,
    ...(language === undefined ? {} : { language }),
    old: before === '' ? null : before,
  });
  return old;
}

/** The snippets for all pages before the run, by installation. */
const generalSnippets = new WeakMap<Resources, Map<Installation, string>>();

/**
 * What a slot held before the run. A service may show the snippet for all pages in a language without one of its own: then that is
 * not a text to restore once the run has replaced it.
 */
async function beforeRun(context: Context, { apps, installation, language }: Slot, shown: string): Promise<string> {
  const known = generalSnippets.get(context.resources) ?? new Map<Installation, string>();
  generalSnippets.set(context.resources, known);
  const general = known.get(installation);
  if (language === undefined && general === undefined) known.set(installation, shown);
  if (language === undefined || general === undefined || shown === '') return shown;
  const now = await context.send(apps.snippetIn(undefined), 'old value');
  return isServed(now) && snippetIn(now) === shown ? general : shown;
}

/** The same where what is there does not matter to the check: the first check has it written down for all. */
export async function remembered(context: Context, slot: Slot): Promise<void> {
  if (!isTracked(context, { kind: 'snippet', ...slot })) await saveForRestore(context, slot);
}

/** Sets a snippet of a slot that is remembered already. */
export async function setSnippet(context: Context, slot: Slot, text: string): Promise<ServiceResponse> {
  const response = await context.send(slot.apps.setSnippet(text, slot.language), 'given');
  // The other website may not have the language.
  if (slot.installation === 'other' && slot.language === undefined && !isServed(response)) {
    await remembered(context, defaultSlot(context));
    await givenServedLikeFirst(context, response, keptClause(slot), (apps) => apps.setSnippet(text));
  }
  return context.given.accepted(response, keptClause(slot));
}

/** What a slot holds that was set; the call is promised then. */
export async function readSnippet(context: Context, slot: Slot): Promise<unknown> {
  const response = context.send(slot.apps.snippetIn(slot.language), 'read');
  return snippetIn(await context.given.promised(response, keptClause(slot)));
}

/** The same where the slot may be empty, which a service may answer with a refusal. */
export async function readSnippetIfAny(context: Context, slot: Slot): Promise<unknown> {
  const response = await context.send(slot.apps.snippetIn(slot.language), 'read');
  return isNeverSet(response) ? '' : snippetIn(await context.given.accepted(response, keptClause(slot)));
}

/** Remembers a slot, sets a plain snippet with this mark, and makes sure that it is there; returns it as it reads. */
export async function storeSnippet(context: Context, slot: Slot, mark: string): Promise<unknown> {
  await remembered(context, slot);
  return replacedBy(context, slot, mark);
}

/**
 * The same for a check that reads the slot later and compares it with what this returns: at the first try that reading shows as well that
 * the snippet was set.
 */
export async function storeForLater(context: Context, slot: Slot, mark: string): Promise<unknown> {
  if (context.explains) return storeSnippet(context, slot, mark);
  await remembered(context, slot);
  await setSnippet(context, slot, plainSnippet(mark));
  return plainSnippet(mark);
}

/** The same for a slot that is remembered already. */
export async function replacedBy(context: Context, slot: Slot, mark: string): Promise<unknown> {
  await setSnippet(context, slot, plainSnippet(mark));
  const read = await readSnippet(context, slot);
  context.given.holds(shows(read, mark), keptClause(slot), `${nameOf(slot)} does not hold what was set`, {
    expected: plainSnippet(mark),
    actual: read,
  });
  return read;
}

/** Markup that no service has a reason to change. */
export const plainSnippet = (mark: string): string => `<div hidden="">${mark}</div>`;

export const shows = (read: unknown, mark: string): boolean => typeof read === 'string' && read.includes(mark);

/** Languages that hardly any website has. */
const RARE_LANGUAGES = ['eo', 'mt', 'is', 'cy'];

/** A language that the website does not have. */
export const rareLanguage = (languages: readonly string[]): string =>
  RARE_LANGUAGES.find((code) => !languages.includes(code)) ?? 'qaa';
