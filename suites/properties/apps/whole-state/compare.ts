/** Compares everything that two installations show with what the calls left, and says which clause a difference is against. */
import { isDeepStrictEqual } from 'node:util';
import { isUnset } from '../../../../contracts/fields/unset.ts';
import { isJsonObject } from '../../../../contracts/json/object.ts';
import type { Context } from '../../../../harness/check/context.ts';
import { Inconclusive } from '../../../../harness/check/failures.ts';
import { INSPECTION } from '../../../../harness/property/index.ts';
import type { ServiceResponse } from '../../../../harness/target/client/types.ts';
import { isServed } from '../../../../harness/target/response/judge-response.ts';
import { dataIn } from '../../../apps/steps/data.ts';
import { isNeverSet } from '../../../apps/steps/never-set.ts';
import { isInBody } from '../../../apps/steps/pages/html-body.ts';
import { readPages } from '../../../apps/steps/pages/index.ts';
import { REFUSED_CHANGES_NOTHING } from '../../../apps/steps/refused-set.ts';
import { snippetIn } from '../../../apps/steps/snippets.ts';
import { holdsOf } from '../../steps/former.ts';
import { keptClause, type Last, type Place, type World } from './world.ts';

/** Fields of the records, with the clause of each. An address follows domains and subscriptions, which others may change. */
const RECORDS = [
  ['user', 'email', 'apps.user.email'],
  ['user', 'email_confirmed', 'apps.user.email-confirmed'],
  ['website', 'brandname', 'apps.website.brandname'],
] as const;

export const WHOLE_STATE_CLAUSES: readonly string[] = [
  ...['apps.snippet.default-kept', 'apps.snippet.language-kept', 'apps.data.string-kept', 'apps.data.object-kept'],
  ...['apps.snippet.replaced', 'apps.data.replaced-entirely', 'apps.snippet.default-and-language-separate'],
  ...['apps.isolation.snippets', 'apps.isolation.data', 'apps.credentials.every-write', REFUSED_CHANGES_NOTHING],
  ...RECORDS.map(([, , clause]) => clause),
  'apps.languages.exactly-website-languages',
  ...['apps.snippet.on-every-page', 'apps.snippet.language-pages', 'apps.snippet.only-language-pages'],
];

export class Comparison {
  readonly #context: Context;
  readonly #world: World;
  #before = new Map<string, unknown>();

  constructor(context: Context, world: World) {
    this.#context = context;
    this.#world = world;
  }

  /** Notes what no call of a sequence may change. */
  async before(): Promise<void> {
    this.#before = await this.#records();
  }

  /** Takes a place to hold what it shows. */
  async learn(place: Place): Promise<void> {
    const response = await this.#read(place);
    place.former = undefined;
    place.value = isNeverSet(response) ? '' : isServed(response) ? valueIn(place, response) : undefined;
  }

  async compareAll(): Promise<void> {
    for (const place of this.#world.places) await this.#compare(place);
  }

  /** Compares what only needs a look at the end: the records of both installations, and the pages. */
  async compareRest(): Promise<void> {
    await this.#compareRecords();
    await this.#comparePages();
  }

  /** What reads at a place now, whatever it is. */
  async valueOf(place: Place): Promise<unknown> {
    return valueIn(place, await this.#read(place));
  }

  #read({ apps, kind, language }: Place): Promise<ServiceResponse> {
    return this.#context.send(kind === 'data' ? apps.getData() : apps.snippetIn(language), INSPECTION);
  }

  async #compare(place: Place): Promise<void> {
    const { value } = place;
    if (value === undefined) return;
    const response = await this.#read(place);
    if (isUnset(value) && isNeverSet(response)) return this.#count();
    const read = valueIn(place, await this.#context.given.promised(response, keptClause(place, value)));
    if (isUnset(value) && (isUnset(read) || this.#isGeneral(place, read))) return this.#count();
    this.#context.expect.that(isDeepStrictEqual(read, value), `${place.name} must have the value that was set last`, {
      clauses: [clauseOf(this.#world.last, place, read)],
      expected: value,
      actual: read,
      pointer: `/${place.kind}`,
      response,
    });
  }

  /** Whether a language without a text of its own shows that of all pages: whether an empty snippet is one is open. */
  #isGeneral({ kind, language, installation }: Place, read: unknown): boolean {
    if (kind !== 'snippet' || language === undefined) return false;
    const general = this.#world.places.find(
      (one) => one.kind === kind && one.installation === installation && one.language === undefined,
    );
    return general === undefined || general.value === undefined || isDeepStrictEqual(general.value, read);
  }

  #count(): void {
    this.#context.expect.asserted += 1;
  }

  /** The fields of both installations, by the words for each; a list of languages in one order. */
  async #records(): Promise<Map<string, unknown>> {
    const found = new Map<string, unknown>();
    const installations = this.#world.places.filter(({ kind }) => kind === 'data');
    for (const { apps, installation } of installations) {
      for (const [name, operation] of [
        ['user', 'getUser'],
        ['website', 'getWebsite'],
      ] as const) {
        const response = await this.#context.send(apps[operation](), INSPECTION);
        const record =
          isJsonObject(response.json) && isJsonObject(response.json[name]) ? response.json[name] : undefined;
        if (!isServed(response) || record === undefined) continue;
        for (const [of, field, clause] of RECORDS)
          if (of === name) found.set(`${clause} ${field} of the ${installation} installation`, record[field]);
      }
      const response = await this.#context.send(apps.getLanguages(), INSPECTION);
      const languages = isJsonObject(response.json) ? response.json.languages : undefined;
      if (isServed(response) && Array.isArray(languages))
        found.set(
          `apps.languages.exactly-website-languages languages of the ${installation} installation`,
          languages.toSorted(),
        );
    }
    return found;
  }

  async #compareRecords(): Promise<void> {
    const differing = (now: ReadonlyMap<string, unknown>): string[] =>
      [...this.#before.keys()].filter((name) => now.has(name) && !isSame(this.#before.get(name), now.get(name)));
    const first = differing(await this.#records());
    // Another person may be editing the website: a difference that is seen only once is not ours.
    const [wrong] = first.length === 0 ? [] : differing(await this.#records()).filter((one) => first.includes(one));
    const [clause = '', ...words] = wrong?.split(' ') ?? [];
    this.#context.expect.that(wrong === undefined, `${words.join(' ')}, which no call is for, must stay unchanged`, {
      ...(clause === '' ? {} : { clauses: [clause] }),
      expected: 'the value before the calls',
      actual: 'another value',
    });
  }

  /** Compares pages with the snippets that are set; a page that shows none of them has checks of its own. */
  async #comparePages(): Promise<void> {
    if (this.#context.profile.website?.pages === undefined) return;
    const snippets = this.#world.of('own', 'snippet').filter(({ value }) => isMarked(value));
    const dueIn = (code: string): Place[] =>
      snippets.filter(({ language }) => language === undefined || language === code);
    const texts = (places: readonly Place[]): string[] => places.map(({ value }) => String(value));
    for (const { language: code, html, response } of await this.#pages((of) => texts(dueIn(of)))) {
      const due = dueIn(code);
      const shown = due.filter(({ value }) => isInBody(html, String(value)));
      if (shown.length === 0) continue;
      const missing = due.find((place) => !shown.includes(place));
      const clause = missing?.language === undefined ? 'apps.snippet.on-every-page' : 'apps.snippet.language-pages';
      this.#context.expect.that(missing === undefined, `the page in ${code} must show ${missing?.name}`, {
        ...{ clauses: [clause], expected: missing?.value, actual: 'a page without it', response },
      });
      const stranger = snippets.find((place) => !due.includes(place) && html.includes(String(place.value)));
      this.#context.expect.that(stranger === undefined, `the page in ${code} must not show ${stranger?.name}`, {
        ...{ clauses: ['apps.snippet.only-language-pages'], expected: 'a page without it', response },
      });
    }
  }

  async #pages(awaited: (language: string) => readonly string[]): ReturnType<typeof readPages> {
    try {
      return await readPages(this.#context, awaited);
    } catch (thrown) {
      // A page that is not there now says nothing of the snippets, which can be read.
      if (thrown instanceof Inconclusive) return [];
      throw thrown;
    }
  }
}

/** A plain text of ours that occurs nowhere else. */
const isMarked = (value: unknown): boolean =>
  typeof value === 'string' && /^<div hidden="">[\w -]{0,200}pm-[\w-]{1,200}<\/div>$/.test(value);

const isSame = (one: unknown, other: unknown): boolean =>
  (isUnset(one) && isUnset(other)) || isDeepStrictEqual(one, other);

const valueIn = ({ kind }: Place, response: ServiceResponse): unknown =>
  kind === 'data' ? dataIn(response) : snippetIn(response);

/** The clause that a wrong value goes against, by the last call. */
function clauseOf(last: Last | undefined, place: Place, read: unknown): string {
  const { kind, installation, value, former } = place;
  const kept = keptClause(place, value);
  if (last === undefined) return kept;
  const { action, outcome } = last;
  if (action.mustNotWork !== undefined) return action.mustNotWork;
  if (outcome === 'refused') return REFUSED_CHANGES_NOTHING;
  if (action.installation !== installation && action.kind !== 'other')
    return kind === 'snippet' ? 'apps.isolation.snippets' : 'apps.isolation.data';
  if (action.place === place) {
    const isLeft = former !== undefined && (isDeepStrictEqual(read, former) || holdsOf(former, value, read));
    if (!isLeft) return kept;
    return kind === 'snippet' ? 'apps.snippet.replaced' : 'apps.data.replaced-entirely';
  }
  return kind === 'snippet' && action.kind === 'snippet' ? 'apps.snippet.default-and-language-separate' : kept;
}
