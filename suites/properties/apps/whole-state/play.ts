/** Plays the steps of a sequence: which call each makes, and what the places hold after it. */
import { pathOf } from '../../../../contracts/operations/index.ts';
import type { Context } from '../../../../harness/check/context.ts';
import { type Probe, summary } from '../../../../harness/check/expect.ts';
import { Inconclusive } from '../../../../harness/check/failures.ts';
import type { ServiceRequest } from '../../../../harness/target/client/request.ts';
import type { Apps } from '../../../../harness/target/interfaces/apps.ts';
import { isLoopbackProfile } from '../../../../harness/target/profile/index.ts';
import { isRefused, isServed } from '../../../../harness/target/response/judge-response.ts';
import { oneOfEach } from '../../../apps/credentials/bad-credentials.ts';
import { expectNotSet } from '../../../apps/steps/refused-set.ts';
import { plainSnippet, rareLanguage } from '../../../apps/steps/snippets.ts';
import { withAlteredBody } from '../../delivery/whole-state/raw-body.ts';
import { Echo } from '../../steps/echo.ts';
import { written } from '../../steps/written.ts';
import type { Comparison } from './compare.ts';
import { CREDENTIALS, type MISTAKES, READINGS, type Step } from './steps.ts';
import { isHarmlessData, isPlainData, isPlainSnippet, snippetOf } from './values.ts';
import { type Action, keptClause, type Place, type World } from './world.ts';

type Refused = Extract<Step, { do: 'refused' }>;

const EVERY_WRITE = 'apps.credentials.every-write';
const AGAIN = ', and again';

export class StepRunner {
  readonly #context: Context;
  readonly #world: World;
  readonly #comparison: Comparison;
  readonly #step: (words: string) => void;
  readonly #isHere: boolean;
  readonly #tracked = new Set<string>();
  #lastAction: Action | undefined;
  readonly #echo = new Echo();

  constructor(context: Context, world: World, comparison: Comparison, step: (words: string) => void) {
    this.#context = context;
    this.#world = world;
    this.#comparison = comparison;
    this.#step = step;
    this.#isHere = isLoopbackProfile(context.profile);
  }

  /** Plays one step; one that has no meaning on this target is skipped. */
  async play(step: Step): Promise<void> {
    const last = this.#lastAction;
    const action =
      step.do === 'again'
        ? last && { ...last, words: last.words.endsWith(AGAIN) ? last.words : `${last.words}${AGAIN}` }
        : await this.#actionOf(step);
    if (action === undefined) return;
    this.#lastAction = action;
    this.#step(action.words);
    await this.#carryOut(action);
    await this.#comparison.compareAll();
  }

  /** Gives a place a value that every service takes; nothing is compared. */
  async set(place: Place, value: string): Promise<void> {
    await this.#carryOut({ ...this.#setting(place, value, true), words: '' });
  }

  async #carryOut(action: Action): Promise<void> {
    const { place, sets, learns = [], isPlain, mustNotWork } = action;
    if (mustNotWork === undefined && (await this.#echo.send(this.#context))) await this.#comparison.compareAll();
    const response = await this.#context.send(written(this.#context, action.call), 'set');
    if (isRefused(response) === 'unavailable')
      throw new Inconclusive(`the target was not available (${summary(response)}): run again`, 'network');
    if (sets !== undefined && place !== undefined) {
      const read = () => this.#comparison.valueOf(place);
      await expectNotSet(this.#context, response, { value: sets.value, former: place.value, read });
    }
    // Which values a service takes is its own affair, the plain ones included: then nothing can be played.
    if (isPlain && place !== undefined) await this.#context.given.accepted(response, keptClause(place, sets?.value));
    this.#world.last = { action, outcome: isServed(response) ? 'served' : 'refused' };
    if (!isServed(response) && mustNotWork !== undefined) this.#echo.keep(action.call);
    if (!isServed(response) || mustNotWork !== undefined) return;
    if (place !== undefined && sets !== undefined) {
      place.former = place.value;
      place.value = sets.value;
    }
    for (const one of learns) await this.#comparison.learn(one);
  }

  async #actionOf(step: Exclude<Step, { do: 'again' }>): Promise<Action | undefined> {
    switch (step.do) {
      case 'data':
        return this.#data(step);
      case 'snippet': {
        const places = this.#world.of(step.of, 'snippet');
        const place = places[step.nth % Math.max(1, places.length)];
        return place && this.#setting(place, snippetOf(step.value, this.#isHere), isPlainSnippet(step.value));
      }
      case 'strange-language':
        return this.#strangeLanguage(step);
      case 'look':
        return this.#read(step);
      case 'refused-looks':
        return this.#refusedReadings(step);
      case 'refused':
        return this.#refused(step);
    }
  }

  #read({ of, what }: Extract<Step, { do: 'look' }>): Action | undefined {
    const [call] = this.#reads(of, [what]);
    const words = `ask for the ${what} of the ${of} installation`;
    return call && { words, call, installation: of, kind: 'other', isPlain: false };
  }

  /** The calls of an installation that read these; none where there is nothing to ask for. */
  #reads(of: 'own' | 'other', what: readonly (typeof READINGS)[number][]): ServiceRequest[] {
    const { apps } = this.#world.of(of, 'data')[0] ?? {};
    const language = this.#world.of(of, 'snippet').find((place) => place.language !== undefined)?.language;
    return what.flatMap((one) => {
      if (one !== 'snippet of a language') return apps?.[READS[one]]() ?? [];
      return language === undefined ? [] : (apps?.snippetIn(language) ?? []);
    });
  }

  /** Sends every reading call with wrong credentials; the last one is the step. */
  async #refusedReadings({ of, what }: Extract<Step, { do: 'refused-looks' }>): Promise<Action | undefined> {
    const calls = this.#reads(of, READINGS).map((call) => this.#probe(what).mutate(call));
    for (const call of calls.slice(0, -1)) await this.#context.send(call, 'probe');
    const call = calls.at(-1);
    const words = `ask for everything of the ${of} installation with ${what}`;
    return call && { words, call, installation: of, kind: 'other', isPlain: false, mustNotWork: EVERY_WRITE };
  }

  #probe(wrong: (typeof CREDENTIALS)[number]): Probe {
    return oneOfEach(this.#context)[PROBES[CREDENTIALS.indexOf(wrong)]!]!;
  }

  #data({ of, value }: Extract<Step, { do: 'data' }>): Action | undefined {
    const [place] = this.#world.of(of, 'data');
    if (place === undefined || (!this.#isHere && !isHarmlessData(value))) return undefined;
    const { sets, ...action } = this.#setting(place, value, isPlainData(value));
    // Neither a string nor an object: what is made of it is open.
    return value === null ? { ...action, learns: [place] } : { ...action, ...(sets === undefined ? {} : { sets }) };
  }

  #setting(place: Place, value: unknown, isPlain: boolean): Action {
    return {
      words: `set ${place.name} to ${shown(value)}`,
      call: callOf(place, value),
      place,
      installation: place.installation,
      kind: place.kind,
      isPlain,
      sets: { value },
    };
  }

  /** A language that the website does not have, or is not known to have. */
  async #strangeLanguage({ which, text }: Extract<Step, { do: 'strange-language' }>): Promise<Action | undefined> {
    const places = this.#world.of('own', 'snippet');
    const languages = places.map(({ language }) => language).filter((one) => one !== undefined);
    const [first] = languages;
    if (first === undefined) return undefined;
    const language = { rare: rareLanguage(languages), capitals: first.toUpperCase(), empty: '' }[which];
    if (languages.includes(language) || !(await this.#canBePutBack(language))) return undefined;
    const { apps } = places[0]!;
    return {
      words: `set the snippet for the language ${JSON.stringify(language)} to ${shown(text)}`,
      call: apps.setSnippet(plainSnippet(text), language),
      installation: 'own',
      kind: 'snippet',
      isPlain: false,
      // It may be taken for none, for the default one, or for one that is written in another way.
      learns: which === 'rare' ? places.filter(isOfNoneOr(this.#context.profile.website?.defaultLanguage)) : places,
    };
  }

  /** Whether an empty snippet is taken under this language: it is put back by that. */
  async #canBePutBack(language: string): Promise<boolean> {
    if (this.#tracked.has(language)) return true;
    const { send, given } = this.#context;
    const places = this.#world.of('own', 'snippet');
    const response = await send(places[0]!.apps.setSnippet('', language), 'probe');
    for (const place of places) await this.#comparison.learn(place);
    if (!isServed(response)) return false;
    given.track({ kind: 'snippet', installation: 'own', language, old: null });
    this.#tracked.add(language);
    return true;
  }

  #refused({ of, what, kind, nth }: Refused): Action | undefined {
    const places = this.#world.of(of, kind);
    const place = places[nth % Math.max(1, places.length)];
    if (place === undefined) return undefined;
    const words = `set ${place.name} with ${what}`;
    const base = { words, place, installation: place.installation, kind, isPlain: false } as const;
    if (isCredential(what))
      return { ...base, call: this.#probe(what).mutate(callOf(place, INTRUDER)), mustNotWork: EVERY_WRITE };
    return { ...base, call: mistakenCall(place, what), learns: [place] };
  }
}

/** The places of the credentials among those of `oneOfEach`. */
const PROBES = [1, 0, 3, 2] as const;
const isCredential = (what: Refused['what']): what is (typeof CREDENTIALS)[number] =>
  CREDENTIALS.some((one) => one === what);
const INTRUDER = '<div hidden="">intruder</div>';

const isOfNoneOr =
  (defaultLanguage: string | undefined) =>
  ({ language }: Place): boolean =>
    language === undefined || defaultLanguage === undefined || language === defaultLanguage;

const callOf = ({ apps, kind, language }: Place, value: unknown): ServiceRequest =>
  kind === 'data' ? apps.setData(value) : apps.setSnippet(value, language);

const WRONG: Readonly<Record<Exclude<(typeof MISTAKES)[number], 'no JSON' | 'nothing'>, unknown>> = {
  'a number': 7,
  'a list': ['a', 'b'],
  'a truth': true,
};

/** The operations that a look asks for. */
const READS = {
  user: 'getUser',
  website: 'getWebsite',
  languages: 'getLanguages',
  data: 'getData',
  snippet: 'getSnippet',
} as const;

function mistakenCall(place: Place, what: (typeof MISTAKES)[number]): ServiceRequest {
  if (what === 'no JSON') return withAlteredBody(callOf(place, INTRUDER));
  if (what === 'nothing') return emptied(place.apps, place);
  return callOf(place, WRONG[what]);
}

/** A call without the value that it is for. */
const emptied = (apps: Apps, { kind, language }: Place): ServiceRequest =>
  apps.call('POST', pathOf(kind === 'data' ? 'setData' : 'setSnippet', {}), language === undefined ? {} : { language });

const MAX_SHOWN = 60;
function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)` : text;
}
