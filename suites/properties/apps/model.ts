/**
 * A model of what Apps keeps: the snippets and the data of two installations, set and read in any order. Each place holds
 * what was set there last, whatever is set in the others (spec: Endpoints, B. Apps endpoints).
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import {
  type CommandFormat,
  forAllSequences,
  givenProperties,
  INSPECTION,
  type Play,
} from '../../../harness/property/index.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { dataIn, readBack, rememberData } from '../../apps/steps/data.ts';
import { appsOf } from '../../apps/steps/installations.ts';
import { isNeverSet } from '../../apps/steps/never-set.ts';
import { TWO_INSTALLATIONS } from '../../apps/steps/options.ts';
import { plainSnippet, type Slot, saveForRestore, snippetIn } from '../../apps/steps/snippets.ts';
import { clausesFound } from '../steps/failure-attribution.ts';
import { holdsOf } from '../steps/former.ts';

/** Sets and reads, and every place read at the end. */
const REQUESTS_PER_RUN = 30;
const MAX_COMMANDS = 14;
/** The snippet for all pages beside those of two languages: enough to mix them up in every way. */
const MAX_LANGUAGES = 2;
const MAX_VALUES = 3;

/** Where something is kept. */
interface Place {
  readonly name: string;
  readonly of: 'own' | 'other';
  readonly kind: 'snippet' | 'data';
  /** By its place in the profile. */
  readonly nth?: number;
  readonly language?: string;
}

interface Setting {
  readonly place: Place;
  readonly value: unknown;
}

/** What was set, in order; the model of a place is the last of it. */
interface Model {
  readonly sets: Setting[];
}

interface SystemUnderTest {
  readonly context: Context;
  readonly places: readonly Place[];
  readonly step: (words: string) => void;
  /** Whether everything is read after each call, to find the one that went wrong. */
  readonly comparesState: boolean;
}

type Command = fc.AsyncCommand<Model, SystemUnderTest>;

const CLAUSES = {
  kept: {
    general: 'apps.snippet.default-kept',
    language: 'apps.snippet.language-kept',
    string: 'apps.data.string-kept',
    object: 'apps.data.object-kept',
  },
  replaced: { snippet: 'apps.snippet.replaced', data: 'apps.data.replaced-entirely' },
  isolated: { snippet: 'apps.isolation.snippets', data: 'apps.isolation.data' },
  apart: 'apps.snippet.default-and-language-separate',
} as const;

/** The places of both installations; the second one may be in another website, whose languages are not known. */
function placesOf({ profile }: Context): Place[] {
  const languages = (profile.website?.languages ?? []).slice(0, MAX_LANGUAGES);
  return [
    { name: 'the data', of: 'own', kind: 'data' },
    { name: 'the data of the other installation', of: 'other', kind: 'data' },
    { name: 'the snippet', of: 'own', kind: 'snippet' },
    { name: 'the snippet of the other installation', of: 'other', kind: 'snippet' },
    ...languages.map(
      (language, nth): Place => ({ name: `the snippet in ${language}`, of: 'own', kind: 'snippet', nth, language }),
    ),
  ];
}

const slotOf = (context: Context, { of, language }: Place): Slot => ({
  apps: appsOf(context, of),
  installation: of,
  ...(language === undefined ? {} : { language }),
});

/** What of a place is kept is its own clause's; a text says from which place it comes, a number which one it was. */
const keptClause = ({ kind, language }: Place, value: unknown): string =>
  kind === 'snippet'
    ? CLAUSES.kept[language === undefined ? 'general' : 'language']
    : CLAUSES.kept[typeof value === 'string' ? 'string' : 'object'];

/** A call as it is kept: a place by what it is, its languages by their order in the profile. */
interface StoredCall {
  readonly do: 'set' | 'read' | 'look';
  readonly of: 'own' | 'other';
  readonly place?: 'snippet' | 'data';
  readonly nth?: number;
  readonly number?: number;
  readonly asObject?: boolean;
  readonly what?: keyof typeof READS;
}

const saidOf = ({ of, kind, nth }: Place) => ({ of, place: kind, ...(nth === undefined ? {} : { nth }) });

/** What is set: markup, an object with a part of its own within, or words; number 0 of a snippet is the empty text. */
function settingOf({ kind, name }: Place, number: number, asObject: boolean): unknown {
  const words = `${name} ${number}`;
  if (kind === 'snippet') return number === 0 ? '' : plainSnippet(words);
  if (!asObject) return words;
  return number === 0 ? {} : { words, [`key${number}`]: number, inner: { [`key${number}`]: number } };
}

class SetValue implements Command {
  readonly place: Place;
  readonly value: unknown;
  readonly said: StoredCall;

  constructor(place: Place, number: number, asObject: boolean) {
    this.place = place;
    this.value = settingOf(place, number, asObject);
    this.said = { do: 'set', ...saidOf(place), number, asObject };
  }

  check(): boolean {
    return true;
  }

  toString(): string {
    return `set ${this.place.name} to ${JSON.stringify(this.value)}`;
  }

  async run(model: Model, system: SystemUnderTest): Promise<void> {
    system.step(this.toString());
    const { context } = system;
    const { place, value } = this;
    const { apps, language } = slotOf(context, place);
    const call = place.kind === 'data' ? apps.setData(value) : apps.setSnippet(value, language);
    const response = await context.send(call, 'set');
    // Whether nothing at all is taken as a snippet is open.
    if (value === '' && !isServed(response)) return;
    const clause = keptClause(place, value);
    const message = `${place.name} must be accepted`;
    if (!isServed(response) && context.choices.skipsRefusal(response, { clause, message })) return;
    await context.given.accepted(response, clause);
    model.sets.push({ place, value });
    if (system.comparesState) await compareAll(model, system);
  }
}

class ReadValue implements Command {
  readonly place: Place;
  readonly said: StoredCall;

  constructor(place: Place) {
    this.place = place;
    this.said = { do: 'read', ...saidOf(place) };
  }

  check(): boolean {
    return true;
  }

  toString(): string {
    return `read ${this.place.name}`;
  }

  async run(model: Model, { context, step }: SystemUnderTest): Promise<void> {
    step(this.toString());
    await compare(context, model, this.place);
  }
}

/** The operations that a look asks for. */
const READS = { user: 'getUser', website: 'getWebsite', languages: 'getLanguages' } as const;

/** Reads what has checks of its own: nothing may come of it. */
class ReadRecord implements Command {
  readonly said: StoredCall & { readonly what: keyof typeof READS };

  constructor(of: 'own' | 'other', what: keyof typeof READS) {
    this.said = { do: 'look', of, what };
  }

  check(): boolean {
    return true;
  }

  toString(): string {
    return `ask for the ${this.said.what}${this.said.of === 'other' ? ' of the other installation' : ''}`;
  }

  async run(model: Model, system: SystemUnderTest): Promise<void> {
    system.step(this.toString());
    const { context } = system;
    const apps = appsOf(context, this.said.of);
    await context.given.promised(context.send(apps[READS[this.said.what]](), 'look'), 'apps.credentials.accepted');
    if (system.comparesState) await compareAll(model, system);
  }
}

async function compareAll(model: Model, { context, places }: SystemUnderTest): Promise<void> {
  for (const place of places) await compare(context, model, place);
}

/** Asserts that a place holds what was set there last. */
async function compare(context: Context, { sets }: Model, place: Place): Promise<void> {
  const last = sets.findLast((one) => one.place.name === place.name);
  if (last === undefined) return;
  const { apps, language } = slotOf(context, place);
  const call = place.kind === 'data' ? apps.getData() : apps.snippetIn(language);
  const response = await context.send(call, INSPECTION);
  const isEmptied = last.value === '' && (isNeverSet(response) || showsGeneral(sets, place, response));
  if (!isEmptied) await readBack(context, last.value, response, keptClause(place, last.value));
  const read = isEmptied ? '' : place.kind === 'data' ? dataIn(response) : snippetIn(response);
  const evidence = { expected: last.value, actual: read, response, pointer: `/${place.kind}` };
  const clauses = [clauseOf(sets, last, read)];
  context.expect.that(isDeepStrictEqual(read, last.value), `${place.name} must have the value that was set last`, {
    ...evidence,
    clauses,
  });
}

/** Whether a language whose snippet was emptied shows that of all pages: whether an empty one is one is open. */
function showsGeneral(sets: readonly Setting[], { kind, of, language }: Place, response: ServiceResponse): boolean {
  if (kind !== 'snippet' || language === undefined || !isServed(response)) return false;
  const general = sets.findLast(({ place }) => place.kind === kind && place.of === of && place.language === undefined);
  return general !== undefined && snippetIn(response) === general.value;
}

/** What was set where says whose fault a wrong value is: that of the same place before, or of another since. */
function clauseOf(sets: readonly Setting[], last: Setting, read: unknown): string {
  const { place, value } = last;
  const culprit = sets.at(-1)!;
  const from = sets.findLast((one) => isDeepStrictEqual(one.value, read) && one.value !== '')?.place ?? culprit.place;
  const former = sets.slice(0, sets.lastIndexOf(last)).filter((one) => one.place.name === place.name);
  if (from.name === place.name) {
    const isLeft = former.some((one) => isDeepStrictEqual(one.value, read) || holdsOf(one.value, value, read));
    return isLeft ? CLAUSES.replaced[place.kind] : keptClause(place, value);
  }
  if (from.of !== place.of) return CLAUSES.isolated[place.kind];
  return from.kind === 'snippet' && place.kind === 'snippet' ? CLAUSES.apart : keptClause(place, value);
}

/** The commands in files; those of languages that this website does not have are for other targets. */
const formatFor = (places: readonly Place[]): CommandFormat<Command> => ({
  write: (command) => (command as SetValue | ReadValue | ReadRecord).said,
  read: (json) => {
    const said = json as StoredCall;
    if (said.do === 'look') return new ReadRecord(said.of, said.what ?? 'user');
    const place = places.find(({ of, kind, nth }) => of === said.of && kind === said.place && nth === said.nth);
    if (place === undefined) return undefined;
    return said.do === 'read' ? new ReadValue(place) : new SetValue(place, said.number ?? 1, said.asObject === true);
  },
});

/** Sets each place in turn: what earlier runs left must not be taken for what this one does. */
async function begin(system: SystemUnderTest): Promise<Model> {
  const model: Model = { sets: [] };
  system.step('set each in turn');
  const quiet = { ...system, step: () => undefined };
  for (const one of system.places) {
    // What is set twice shows whether the second comes to what the first left.
    if (system.comparesState)
      await new SetValue(one, MAX_VALUES + 2, false).run(model, { ...quiet, comparesState: false });
    await new SetValue(one, MAX_VALUES + 1, false).run(model, quiet);
  }
  return model;
}

export const checks: readonly Check[] = [
  check(
    'properties.apps.model',
    'MUST return snippets and data of two installations as set, after any sequence of calls',
    {
      ...TWO_INSTALLATIONS,
      clauses: [
        ...Object.values(CLAUSES.kept),
        ...Object.values(CLAUSES.replaced),
        ...Object.values(CLAUSES.isolated),
        CLAUSES.apart,
      ],
      additional: true,
    },
    async (context) => {
      givenProperties(context);
      const places = placesOf(context);
      for (const place of places) {
        const slot = slotOf(context, place);
        if (place.kind === 'data') await rememberData(context, slot, CLAUSES.kept.string);
        else await saveForRestore(context, slot);
      }
      const place = fc.constantFrom(...places);
      const set = fc.tuple(place, fc.nat({ max: MAX_VALUES }), fc.boolean()).map((of): Command => new SetValue(...of));
      const read = place.map((of): Command => new ReadValue(of));
      const look = fc
        .tuple(fc.constantFrom('own' as const, 'other' as const), fc.constantFrom('user', 'website', 'languages'))
        .map((of): Command => new ReadRecord(...of));
      const options = {
        requestsPerRun: REQUESTS_PER_RUN,
        maxCommands: MAX_COMMANDS,
        commands: [set, set, set, set, read, read, look],
        format: formatFor(places),
        // With a look at everything after each call: which rule was it?
        explain: (again: Context, play: Play<Model, SystemUnderTest>) =>
          clausesFound(async () => {
            const system: SystemUnderTest = { context: again, places, step: () => undefined, comparesState: true };
            await play(await begin(system), system);
          }),
      };
      await forAllSequences(context, options, async (run, play) => {
        const system: SystemUnderTest = { context: run.context, places, step: run.step, comparesState: false };
        const model = await begin(system);
        await play(model, system);
        await compareAll(model, system);
      });
    },
  ),
];
