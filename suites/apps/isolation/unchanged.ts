/** Apps calls that change nothing: refused ones, reads, and finishing an installation again (spec: Errors; B. Apps endpoints). */
import { isDeepStrictEqual } from 'node:util';
import { pathOf } from '../../../contracts/operations/index.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { atOnce } from '../../../harness/process/at-once.ts';
import { keepForAll, keptForAll } from '../../../harness/resources/once.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { withoutCode, withoutKey } from '../credentials/bad-credentials.ts';
import { dataRemembered, type Owner, readData, setData } from '../steps/data.ts';
import { TWO_INSTALLATIONS } from '../steps/options.ts';
import {
  defaultSlot,
  keptClause,
  languageSlot,
  languagesOf,
  plainSnippet,
  rareLanguage,
  readSnippet,
  remembered,
  type Slot,
  setSnippet,
  shows,
} from '../steps/snippets.ts';

const DATA = 'apps.data.string-kept';
const KEPT_SNIPPETS = ['apps.snippet.default-kept', 'apps.snippet.language-kept'] as const;

/** The name under which a check keeps what it has left in both installations, for the next one. */
const LEFT = 'data and snippets of both installations';

/** A website with dozens of languages would cost calls for each. */
const MAX_LANGUAGES = 3;

/** Both installations: what each of them keeps. */
interface Kept {
  readonly owners: readonly Owner[];
  readonly slots: readonly Slot[];
  /** How all of it reads before the calls that a check is about. */
  readonly before: Contents;
}

/** What reads under the names of the data and the snippets. */
type Contents = Readonly<Record<string, unknown>>;

const nameOfData = ({ installation }: Owner): string => `${installation} data`;
const nameOfSnippet = ({ installation, language }: Slot): string => `${installation} snippet ${language ?? ''}`.trim();

/** Sets data and snippets of both installations, and makes sure by one reading of all that they are there. */
async function everythingKept(context: Context): Promise<Kept> {
  const { apps, otherApps, resources } = context;
  const owners: readonly Owner[] = [
    { apps, installation: 'own' },
    { apps: otherApps, installation: 'other' },
  ];
  const languages = await languagesOf(context);
  const slots = [
    defaultSlot(context),
    ...languages.slice(0, MAX_LANGUAGES).map((language) => languageSlot(context, language)),
    { apps: otherApps, installation: 'other' } as const,
  ];
  const marks = new Map<string, readonly [mark: string, clause: string]>();
  for (const owner of owners) {
    const mark = resources.newMark();
    await dataRemembered(context, owner, DATA);
    await setData(context, owner, mark, DATA);
    marks.set(nameOfData(owner), [mark, DATA]);
  }
  for (const slot of slots) {
    const mark = resources.newMark();
    await remembered(context, slot);
    await setSnippet(context, slot, plainSnippet(mark));
    marks.set(nameOfSnippet(slot), [mark, keptClause(slot)]);
  }
  const before = await read(context, { owners, slots });
  for (const [name, [mark, clause]] of marks)
    context.given.holds(shows(before[name], mark), clause, `the ${name} is not what was set`, { actual: before[name] });
  return { owners, slots, before };
}

async function read(context: Context, { owners, slots }: Pick<Kept, 'owners' | 'slots'>): Promise<Contents> {
  const seen = await atOnce([
    ...owners.map(
      (owner) => async () => [nameOfData(owner), (await readData(context, owner, DATA)) as unknown] as const,
    ),
    ...slots.map((slot) => async () => [nameOfSnippet(slot), (await readSnippet(context, slot)) as unknown] as const),
  ]);
  return Object.fromEntries(seen);
}

/** Sends what most services refuse for its content; false where it is taken. */
async function refusesContents(context: Context, { slots: [general], before }: Kept): Promise<boolean> {
  const { apps, given, send } = context;
  const rare = rareLanguage(await languagesOf(context));
  const snippet = await send(apps.setSnippet('', rare), 'probe');
  if (isServed(snippet)) given.track({ kind: 'snippet', installation: 'own', language: rare, old: null });
  const data = await send(apps.setData(7), 'probe');
  // Where a number is taken for a text, it is the snippet now.
  const number = await send(apps.call('POST', pathOf('setSnippet', {}), { snippet: 7 }), 'probe');
  if (isServed(number)) await setSnippet(context, general!, String(before[nameOfSnippet(general!)]));
  return !isServed(snippet) && !isServed(data);
}

/** What an earlier check has left, if it is still there, or new contents. */
async function contentsKept(context: Context): Promise<Kept> {
  // Checks that come in between, in another order than the usual one, leave other contents.
  const left = await keptForAll<Kept>(context, LEFT);
  const isThere = left !== undefined && isDeepStrictEqual(await read(context, left), left.before);
  return isThere ? left : everythingKept(context);
}

export const checks: readonly Check[] = [
  check(
    'apps.isolation.refusal-changes-nothing',
    'MUST leave snippets and data of all installations unchanged when it refuses an Apps call',
    { clauses: ['envelope.delivery.refusal-changes-nothing'], ...TWO_INSTALLATIONS, shares: LEFT },
    async (context) => {
      const { apps, expect, given, resources, send } = context;
      const kept = await everythingKept(context);
      const { before } = kept;
      const mark = resources.newMark();
      // What a call names has a check of its own: here, what lies beside it.
      const calls: readonly (readonly [call: ServiceRequest, named?: string])[] = [
        [apps.setData(mark), 'own data'],
        [apps.setSnippet(plainSnippet(mark)), 'own snippet'],
        [apps.finishInstallation()],
      ];
      const probes = [withoutKey[0]!, withoutCode[0]!];
      const refuse = async (call: ServiceRequest): Promise<void> => {
        for (const { change, mutate } of probes) {
          const response = await send(mutate(call), 'probe');
          given.holds(!isServed(response), 'apps.credentials.every-write', `${call.path} was served with ${change}`, {
            response,
          });
        }
      };
      if (!context.explains) {
        for (const [call] of calls) await refuse(call);
        // Where nothing differs, no call has changed anything; where something does, the next try finds out which.
        expect.equal(await read(context, kept), before, 'refused calls must change nothing');
      }
      for (const [call, named] of context.explains ? calls : []) {
        const beside = (seen: Contents) => Object.entries(seen).filter(([name]) => name !== named);
        await refuse(call);
        expect.equal(
          beside(await read(context, kept)),
          beside(before),
          `${call.path} with ${probes.map(({ change }) => change).join(' and with ')}, which is refused, must change nothing`,
        );
      }
      if (!(await refusesContents(context, kept))) return;
      expect.equal(
        await read(context, kept),
        before,
        'data and a snippet that are numbers, and a snippet for an unknown language, which are refused, must change nothing',
      );
      keepForAll(context, LEFT, kept);
    },
  ),
  check(
    'apps.isolation.installed-keeps-contents',
    'MUST leave snippets and data of all installations unchanged when an installation is finished again',
    {
      clauses: ['apps.isolation.data', 'apps.isolation.snippets'],
      additional: true,
      ...TWO_INSTALLATIONS,
      shares: LEFT,
    },
    async (context) => {
      const kept = await contentsKept(context);
      const { apps, otherApps, send } = context;
      await send(otherApps.finishInstallation(), 'probe');
      // Twice: what the second does to an installation that is finished may differ.
      await send(apps.finishInstallation(), 'probe');
      const response = await send(apps.finishInstallation(), 'probe');
      context.expect.equal(
        await read(context, kept),
        kept.before,
        'finishing an installation must leave its snippets and data unchanged',
        {
          response,
        },
      );
    },
  ),
  check(
    'apps.isolation.reads-keep-contents',
    'MUST leave snippets and data of all installations unchanged when something is read',
    { clauses: [DATA, ...KEPT_SNIPPETS], additional: true, ...TWO_INSTALLATIONS, shares: LEFT },
    async (context) => {
      const kept = await contentsKept(context);
      const { apps, expect, otherApps, send } = context;
      // The reads of snippets and data are among those of `contentsKept`.
      for (const one of [otherApps, apps])
        for (const call of [one.getUser(), one.getWebsite(), one.getLanguages()]) await send(call, 'read');
      const now = await read(context, kept);
      const clauseOf = new Map(kept.slots.map((slot) => [nameOfSnippet(slot), keptClause(slot)]));
      for (const [name, before] of Object.entries(kept.before))
        expect.equal(now[name], before, `the ${name} must be what was set after everything else was read`, {
          clauses: [clauseOf.get(name) ?? DATA],
        });
    },
  ),
];
