/**
 * A model of what Apps keeps: the snippets and the data of two installations, set and read in any order. Each place holds
 * what was set there last, whatever is set in the others (spec: Endpoints, B. Apps endpoints).
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type Check, check } from '../../harness/check.ts';
import type { Context } from '../../harness/context.ts';
import { isObject } from '../../harness/judge-answer.ts';
import { forAllSequences, givenProperties } from '../../harness/property.ts';
import { dataIn, rememberData } from '../apps/kit/data.ts';
import { TWO_INSTALLATIONS } from '../apps/kit/options.ts';
import { plainSnippet, remember, type Slot, snippetIn } from '../apps/kit/snippets.ts';

/** Sets and reads, and every place read at the end. */
const REQUESTS_PER_RUN = 25;
const MOST_COMMANDS = 10;
/** One language beside the snippet of all pages is enough to mix them up. */
const MOST_LANGUAGES = 1;

/** Where something is kept. */
interface Place {
  readonly name: string;
  readonly of: 'own' | 'other';
  readonly kind: 'snippet' | 'data';
  readonly language?: string;
}

/** What was set, in order; the model of a place is the last of it. */
interface Model {
  readonly sets: { readonly place: Place; readonly value: unknown }[];
}

interface Stage {
  readonly context: Context;
  readonly step: (words: string) => void;
}

type Command = fc.AsyncCommand<Model, Stage>;

const CLAUSES = {
  kept: {
    general: 'apps.snippet.default-kept',
    language: 'apps.snippet.language-kept',
    string: 'apps.data.string-kept',
    object: 'apps.data.object-kept',
  },
  replaced: { snippet: 'apps.snippet.replaced', data: 'apps.data.replaced-whole' },
  isolated: { snippet: 'apps.isolation.snippets', data: 'apps.isolation.data' },
  apart: 'apps.snippet.default-and-language-apart',
} as const;

/** The places of both installations; the second one may be in another website, whose languages are not known. */
function placesOf({ profile }: Context): Place[] {
  const languages = (profile.website?.languages ?? []).slice(0, MOST_LANGUAGES);
  return [
    { name: 'the data', of: 'own', kind: 'data' },
    { name: 'the data of the other installation', of: 'other', kind: 'data' },
    { name: 'the snippet', of: 'own', kind: 'snippet' },
    { name: 'the snippet of the other installation', of: 'other', kind: 'snippet' },
    ...languages.map(
      (language): Place => ({ name: `the snippet in ${language}`, of: 'own', kind: 'snippet', language }),
    ),
  ];
}

const slotOf = (context: Context, { of, language }: Place): Slot => ({
  apps: of === 'own' ? context.apps : context.otherApps,
  installation: of,
  ...(language === undefined ? {} : { language }),
});

/** What of a place is kept is its own clause's; a text says from which place it comes, a number which one it was. */
const keptClause = ({ kind, language }: Place, value: unknown): string =>
  kind === 'snippet'
    ? CLAUSES.kept[language === undefined ? 'general' : 'language']
    : CLAUSES.kept[typeof value === 'string' ? 'string' : 'object'];

class SetValue implements Command {
  readonly place: Place;
  readonly value: unknown;

  constructor(place: Place, number: number, asObject: boolean) {
    const words = `${place.name} ${number}`;
    this.place = place;
    this.value =
      place.kind === 'snippet' ? plainSnippet(words) : asObject ? { words, [`key${number}`]: number } : words;
  }

  check(): boolean {
    return true;
  }

  toString(): string {
    return `set ${this.place.name} to ${JSON.stringify(this.value)}`;
  }

  async run({ sets }: Model, { context, step }: Stage): Promise<void> {
    step(this.toString());
    const { place, value } = this;
    const { apps, language } = slotOf(context, place);
    const call = place.kind === 'data' ? apps.setData(value) : apps.setSnippet(value, language);
    await context.given.accepted(context.send(call, 'set'), keptClause(place, value));
    sets.push({ place, value });
  }
}

class ReadValue implements Command {
  readonly place: Place;

  constructor(place: Place) {
    this.place = place;
  }

  check(): boolean {
    return true;
  }

  toString(): string {
    return `read ${this.place.name}`;
  }

  async run(model: Model, { context, step }: Stage): Promise<void> {
    step(this.toString());
    await compare(context, model, this.place);
  }
}

/** Asserts that a place holds what was set there last. */
async function compare(context: Context, { sets }: Model, place: Place): Promise<void> {
  const last = sets.findLast((one) => one.place.name === place.name);
  if (last === undefined) return;
  const { apps, language } = slotOf(context, place);
  const call = place.kind === 'data' ? apps.getData() : apps.getSnippet(language);
  const answer = await context.given.accepted(context.send(call, 'read'), keptClause(place, last.value));
  const read = place.kind === 'data' ? dataIn(answer) : snippetIn(answer);
  const evidence = { expected: last.value, actual: read, answer, pointer: `/${place.kind}` };
  const clauses = [clauseOf(sets, last, read)];
  context.expect.that(isDeepStrictEqual(read, last.value), `${place.name} must be as it was set last`, {
    ...evidence,
    clauses,
  });
}

/** What was set where says whose fault a wrong value is. */
function clauseOf(sets: Model['sets'], { place, value }: Model['sets'][number], read: unknown): string {
  const from = sets.findLast((one) => isDeepStrictEqual(one.value, read))?.place;
  const isOlder = from?.name === place.name;
  const former = sets.filter((one) => one.place.name === place.name && isObject(one.value));
  const isMerged =
    isObject(read) &&
    former.some((one) => Object.keys(one.value as object).some((key) => !has(value, key) && has(read, key)));
  if (isOlder || isMerged) return CLAUSES.replaced[place.kind];
  if (from === undefined || from.kind !== place.kind) return keptClause(place, value);
  return from.of === place.of ? CLAUSES.apart : CLAUSES.isolated[place.kind];
}

const has = (value: unknown, key: string): boolean => isObject(value) && Object.hasOwn(value, key);

export const checks: readonly Check[] = [
  check(
    'properties.apps-model',
    'MUST keep snippets and data of two installations as they were set, in any order of calls',
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
        else await remember(context, slot);
      }
      const place = fc.constantFrom(...places);
      const set = fc
        .tuple(place, fc.integer({ min: 1, max: 3 }), fc.boolean())
        .map((of): Command => new SetValue(...of));
      const read = place.map((of): Command => new ReadValue(of));
      const options = { requestsPerRun: REQUESTS_PER_RUN, maxCommands: MOST_COMMANDS, commands: [set, set, read] };
      await forAllSequences(context, options, async (run, play) => {
        const model: Model = { sets: [] };
        const stage: Stage = { context: run.context, step: run.step };
        // What earlier runs left must not be taken for what this one does.
        run.step('set each in turn');
        for (const one of places) await new SetValue(one, 0, false).run(model, { ...stage, step: () => undefined });
        await play(model, stage);
        for (const one of places) await compare(run.context, model, one);
      });
    },
  ),
];
