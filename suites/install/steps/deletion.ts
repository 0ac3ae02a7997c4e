/**
 * An installation that is made to be deleted: what it held, what is left of it, and what a new installation finds. Nothing but
 * the run's own is deleted; where that is in doubt the checks are not decided.
 */
import { isUnset } from '../../../contracts/fields/unset.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import { once, unlessUndecided } from '../../../harness/resources/once.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Apps } from '../../../harness/target/interfaces/apps.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { dataIn } from '../../apps/steps/data.ts';
import { isNeverSet } from '../../apps/steps/never-set.ts';
import { readPages } from '../../apps/steps/pages/index.ts';
import { plainSnippet, snippetIn } from '../../apps/steps/snippets.ts';
import { installationOf, walkOf } from './reading.ts';
import { anyShape, appOf } from './registration.ts';
import { type InstallState, install, isInProfile, pressSettings, stateOf, type Walk } from './user-flow.ts';

/** What an installation shows of itself: the responses to reading it. */
export interface InstallationContents {
  readonly data: ServiceResponse;
  readonly snippet: ServiceResponse;
  /** The snippet of one language. */
  readonly languageSnippet: ServiceResponse;
}

export interface Deletion {
  readonly apps: Apps;
  readonly walk: Walk;
  /** The text that data and snippets of the deleted installation hold, and of the one that stays. */
  readonly mark: string;
  readonly otherMark: string;
  readonly before: InstallationContents & {
    readonly state: InstallState | undefined;
    readonly onPages: readonly string[];
  };
  readonly response: ServiceResponse;
  readonly after: InstallationContents & {
    readonly state: InstallState | undefined;
    readonly onPages: readonly string[];
  };
  /** A second installation of the run, which stays. Undefined when the service has only one at a time. */
  readonly other:
    | {
        readonly before: InstallationContents;
        readonly after: InstallationContents;
        /** Whether it counted as installed before, and does not any more; false where the driver can't tell. */
        readonly isUnfinished: boolean;
      }
    | undefined;
  /** What the deleted code still does. */
  readonly afterlife: Afterlife;
  /** Whether the second installation was refused everything after the delete: then the app is not installed again. */
  readonly endedOther: boolean;
  /** What came of installing again; undefined when nothing could be deleted, or more than that was. */
  readonly again:
    | {
        readonly walk: Walk;
        readonly holding: InstallationContents | undefined;
        /** What the installation that stayed holds then; undefined without one. */
        readonly other: InstallationContents | undefined;
        /** The languages whose page shows the text of the deleted installation. */
        readonly onPages: readonly string[];
      }
    | undefined;
}

/** What the code of a deleted installation does; the contract does not say that it has to be refused. */
interface Afterlife {
  /** The calls that it was served, by their names. */
  readonly served: readonly string[];
  /** Whether the app counts as installed after its call of installed. */
  readonly state: InstallState | undefined;
  /** The languages whose page shows the snippet that it has set. */
  readonly onPages: readonly string[];
}

/** Whether a response shows a text. */
export const containsMark = (response: ServiceResponse, mark: string): boolean =>
  isServed(response) && response.text.includes(mark);

/** Installs, fills, deletes and installs again; done once for all checks. */
export function deletionOf(context: Context): Promise<Deletion> {
  return once(context, 'an installation deleted', async () => {
    // Where a website has one installation at a time, there is none between the delete and the installation after it.
    const known = context.resources.installation.begin();
    return fillAndDelete(context).finally(known);
  });
}

async function fillAndDelete(context: Context): Promise<Deletion> {
  const { send, resources } = context;
  // Only an app that finishes behind its page leaves time to ask for its state in between. A driver may be unable to register one.
  const canAsk = resources.driver.installState !== undefined;
  const behind = canAsk ? await unlessUndecided(() => walkOf(context, 'blank')) : undefined;
  const stayingWalk = behind ?? (await walkOf(context, await anyShape(context)));
  const { shape } = stayingWalk.app;
  const staying = installationOf(context, stayingWalk);
  const walk = await install(context, await appOf(context, shape));
  const apps = installationOf(context, walk);
  const language = context.profile.website?.languages?.[0];
  await refuseDoubt(context, walk, apps);
  const isOther =
    staying.authCode.reveal() !== apps.authCode.reveal() &&
    !isInProfile(context, staying) &&
    // Installing again may have ended it: then there is only one at a time.
    isServed(await send(staying.getLanguages(), 'given'));

  const [mark, otherMark] = [resources.newMark(), resources.newMark()];
  await fill(context, apps, mark, language);
  if (isOther) await fill(context, staying, otherMark, language);
  await refuseSharing(context, apps, mark);
  const before = {
    ...(await holdingOf(context, apps, language)),
    state: await stateOf(context, walk, true),
    onPages: await pagesWith(context, mark),
  };
  const otherBefore = await holdingOf(context, staying, language);
  const otherState = isOther ? await stateOf(context, stayingWalk) : undefined;

  const response = await send(apps.uninstallApp(), 'delete');
  // First: once the deleted code was refused, a refusal of another one may be a lock against guessing.
  const otherAfter = isOther ? await holdingOf(context, staying, language) : undefined;
  const state = await stateOf(context, walk, false);
  const otherStateAfter = otherState?.installed === true ? await stateOf(context, stayingWalk) : undefined;
  const isUnfinished = otherStateAfter?.installed === false;
  const other = otherAfter && { before: otherBefore, after: otherAfter, isUnfinished };
  const after = {
    ...(await holdingOf(context, apps, language)),
    state,
    onPages: await pagesStillWith(context, mark, before.onPages),
  };
  const afterlife = isServed(response)
    ? await afterlifeOf(context, walk, before.onPages)
    : { served: [], state: undefined, onPages: [] };
  const endedOther = other !== undefined && isServed(other.before.data) && !readsOf(other.after).some(isServed);

  const rest = { apps, walk, mark, otherMark, before, response, after, other, afterlife, endedOther };
  if (!isServed(response) || endedOther) return { ...rest, again: undefined };
  const reinstalled = await install(context, await appOf(context, shape));
  await pressSettings(context, reinstalled);
  const holding = reinstalled.apps === undefined ? undefined : await holdingOf(context, reinstalled.apps, language);
  const otherThen = isOther ? await holdingOf(context, staying, language) : undefined;
  const onPages = await pagesStillWith(context, mark, before.onPages);
  return { ...rest, again: { walk: reinstalled, holding, other: otherThen, onPages } };
}

/** Uses the code of a deleted installation as an app does that has not noticed it. What it could set is deleted again. */
async function afterlifeOf(context: Context, walk: Walk, pagesBefore: readonly string[]): Promise<Afterlife> {
  const { send, resources } = context;
  const { apps } = walk;
  if (apps === undefined) return { served: [], state: undefined, onPages: [] };
  const mark = resources.newMark();
  const calls = {
    website: apps.getWebsite(),
    user: apps.getUser(),
    set_data: apps.setData(mark),
    set_snippet: apps.setSnippet(plainSnippet(mark)),
    installed: apps.finishInstallation(),
  };
  const served: string[] = [];
  for (const [name, call] of Object.entries(calls)) if (isServed(await send(call, 'probe'))) served.push(name);
  const state = served.includes('installed') ? await stateOf(context, walk) : undefined;
  const pages = served.includes('set_snippet') && pagesBefore.length > 0 ? await pagesWith(context, mark) : [];
  if (served.some((name) => name.startsWith('set') || name === 'installed')) await send(apps.uninstallApp(), 'cleanup');
  return { served, state, onPages: pages };
}

export const readsOf = ({ data, snippet, languageSnippet }: InstallationContents): readonly ServiceResponse[] => [
  data,
  snippet,
  languageSnippet,
];

/** Deletes nothing that could be the profile's. */
async function refuseDoubt(context: Context, walk: Walk, apps: Apps): Promise<void> {
  const why = (sentence: string) =>
    new Inconclusive(
      `${sentence}, so nothing was deleted: let the driver install on a website without the profile's authCodes`,
      'configuration',
    );
  if (isInProfile(context, apps)) throw why("installing the app again returns one of the profile's own installations");
  if (walk.endedProfilesCode === true) throw why("installing the app again ended the profile's own authCode");
  const data = await context.send(apps.getData(), 'given');
  const snippet = await context.send(apps.getSnippet(), 'given');
  const isEmpty =
    (isNeverSet(data) || isUnset(dataIn(data)) || isEmptyMap(dataIn(data))) &&
    (isNeverSet(snippet) || isUnset(snippetIn(snippet)));
  if (!isEmpty) throw why('the new installation already had data or a snippet, possibly of another installation');
}

const isEmptyMap = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Two codes of one installation would share its data; then deleting one deletes the profile's. */
async function refuseSharing(context: Context, apps: Apps, mark: string): Promise<void> {
  if (context.profile.apps?.authCode === undefined) return;
  const own = await context.send(context.apps.getData(), 'given');
  if (!containsMark(own, mark)) return;
  await context.send(apps.setData(''), 'cleanup');
  throw new Inconclusive(
    "what was set for the new installation is read from the profile's own, so nothing was deleted: let the driver install on another website",
    'target',
  );
}

async function fill(context: Context, apps: Apps, mark: string, language: string | undefined): Promise<void> {
  const { given, send } = context;
  await given.accepted(send(apps.setData(mark), 'given'), 'apps.data.string-kept');
  await given.accepted(send(apps.setSnippet(plainSnippet(mark)), 'given'), 'apps.snippet.default-kept');
  if (language !== undefined) {
    await given.accepted(send(apps.setSnippet(plainSnippet(mark), language), 'given'), 'apps.snippet.language-kept');
  }
}

async function holdingOf({ send }: Context, apps: Apps, language: string | undefined): Promise<InstallationContents> {
  const snippet = await send(apps.getSnippet(), 'read');
  return {
    data: await send(apps.getData(), 'read'),
    snippet,
    languageSnippet: language === undefined ? snippet : await send(apps.snippetIn(language), 'read'),
  };
}

/** The languages whose public page shows the text; none where the profile names no pages. */
async function pagesWith(context: Context, mark: string): Promise<string[]> {
  if (context.profile.website?.pages === undefined) return [];
  const pages = await readPages(context, () => []).catch(() => []);
  return pages.filter(({ html }) => html.includes(mark)).map(({ language }) => language);
}

/** The same after a change that takes the text away, once caches had time for it. */
async function pagesStillWith(context: Context, mark: string, before: readonly string[]): Promise<string[]> {
  if (before.length === 0) return [];
  const pages = await readPages(context, () => [], { gone: [mark] }).catch(() => []);
  return pages.filter(({ html }) => html.includes(mark)).map(({ language }) => language);
}
