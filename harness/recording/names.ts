/**
 * Secrets and the data of persons as names. While a run is recorded each gets an id (`STORE_KEY#1`: the first value known
 * under that name); in a response the id replaces the value, and a replay puts its own value of that id there. A
 * request is compared with names in place of values, which differ from run to run; with ids where the target issued the value, so
 * that a token in use differs from one that was logged out.
 */

import { MIN_EVERYWHERE_CHARS, type Redaction } from '../evidence/redaction/index.ts';
import { mapPersonalText } from '../evidence/redaction/personal-data.ts';
import { type Find, SecretSearch } from '../evidence/redaction/search/index.ts';
import type { WireRequest, WireResponse } from '../target/network/network.ts';
import { learnSecrets } from '../target/secrets/received-secrets.ts';
import type { NamedStandIn } from './format.ts';
import type { StandIns } from './stand-in.ts';

/** How a value may be written in a text; a replay writes its own value the same way. */
const FORMS: Readonly<Record<string, (value: string) => string>> = {
  '': (value) => value,
  json: (value) => JSON.stringify(value).slice(1, -1),
  slashes: (value) => JSON.stringify(value).slice(1, -1).replaceAll('/', '\\/'),
  url: (value) => encodeURIComponent(value.toWellFormed()),
  form: (value) => new URLSearchParams([['', value]]).toString().slice(1),
  html: (value) =>
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
};

const OPEN = '\u27e6';
const CLOSE = '\u27e7';
/** Escapes the opening sign itself, where a text of the target has one. */
const LITERAL = `${OPEN}sign${CLOSE}`;
const MARKER = new RegExp(`${OPEN}(?:sign|([^${OPEN}${CLOSE}:]+)(?::([a-z]*))?)${CLOSE}`, 'g');
const PERSON = 'PERSON';

interface Known {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  /** When it became known, in the count of `time`. */
  readonly since: number;
  /** The target sent it first: in a replay its stand-in gives its id, in whatever order responses arrive. */
  readonly isIssued: boolean;
}

export interface Sealed {
  readonly text: string;
  /** Every secret in it can be put back as it was. */
  readonly exact: boolean;
}

export interface NamesOptions {
  readonly redaction: Redaction;
  readonly standIns: StandIns;
  /** Marks the run's own texts, which are not user data. */
  readonly mark: string;
  /** Leaves the data of persons as it is. */
  readonly showPersonalData: boolean;
}

export class Names {
  readonly #options: NamesOptions;
  readonly #search = new SecretSearch();
  readonly #byId = new Map<string, Known>();
  readonly #byValue = new Map<string, Known>();
  readonly #counts = new Map<string, number>();
  readonly #persons = new Map<string, Known>();
  /** Texts in personal fields that the run itself sent first. */
  readonly #own = new Set<string>();
  readonly #standIns = new Map<string, string>();
  /** In a replay, the ids of the values that stand in for what the target issued. */
  readonly #idsOfStandIns = new Map<string, string>();
  #isArriving = false;
  readonly #fresh: string[] = [];
  #time = 0;

  constructor(options: NamesOptions) {
    this.#options = options;
  }

  /** The redaction, passing on each secret that it learns. */
  get redaction(): Redaction {
    const { redaction } = this.#options;
    return {
      ...redaction,
      add: (secret) => {
        redaction.add(secret);
        this.add(secret.name, secret.value);
      },
    };
  }

  /** The count of what became known; grows with each. */
  get time(): number {
    return this.#time;
  }

  add(name: string, value: string): void {
    if (value === '' || this.#byValue.has(value)) return;
    const known = this.#next(name, value);
    this.#byValue.set(value, known);
    if (value.length >= MIN_EVERYWHERE_CHARS) this.#search.add({ name: known.id, value });
  }

  #next(name: string, value: string): Known {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    this.#time += 1;
    const recorded = this.#idsOfStandIns.get(value);
    const id = recorded?.startsWith(`${name}#`) === true ? recorded : `${name}#${count}`;
    const known: Known = { id, name, value, since: this.#time, isIssued: this.#isArriving };
    this.#byId.set(known.id, known);
    this.#fresh.push(name);
    return known;
  }

  /** Names of what became known since the last call, in order. */
  takeRegistered(): string[] {
    return this.#fresh.splice(0);
  }

  /** Counts names that became known in a check that is left out, so that later ids are those of the recording. */
  skip(names: readonly string[]): void {
    for (const name of names) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  // ---- requests

  /** A request's text as it is compared. */
  compared(text: string): string {
    const label = (known: Known | undefined): string => (known?.isIssued === true ? known.id : (known?.name ?? '?'));
    const named = this.#mapped(text, label).text;
    return this.#options.redaction.text(this.#withPersons(named, (value) => this.#ofRequest(value)));
  }

  #ofRequest(value: string): string | undefined {
    if (this.#persons.has(value)) return PERSON;
    this.#own.add(value);
    return undefined;
  }

  // ---- answers: ids

  /**
   * Makes the secrets and persons in a response known, as soon as it is there: the secrets here and not only by the recorder,
   * which comes after this, so that a run and its replay count alike.
   */
  arrived(
    { method, url }: Pick<WireRequest, 'method' | 'url'>,
    { status, headers, bytes }: WireResponse,
    at: number,
  ): void {
    const sent = { at, durationMs: 0, request: { method, url, headers: [] } };
    learnSecrets(sent, this.redaction);
    this.#isArriving = true;
    learnSecrets({ ...sent, response: { status, headers, body: bytes } }, this.redaction);
    this.#isArriving = false;
    this.meet(Buffer.from(bytes).toString('utf8'));
  }

  /** Makes the persons in a response known. */
  meet(text: string): void {
    const { mark, showPersonalData } = this.#options;
    if (showPersonalData) return;
    mapPersonalText(text, (value) => {
      const isSecret = this.#byValue.has(value);
      if (!isSecret && !value.includes(mark) && !this.#own.has(value) && !this.#persons.has(value)) {
        this.#persons.set(value, this.#next(PERSON, value));
      }
      return undefined;
    });
  }

  /**
   * A response's text as it is written. `arrived`: the `time` at which it came; of what became known later, a replay can't know
   * the value by itself, so its stand-in is kept for `takeStandIns`.
   */
  sealed(text: string, arrived: number): Sealed {
    const { redaction, standIns } = this.#options;
    const idOf = (known: Known): string => {
      if (known.since > arrived || known.name === PERSON) this.#standIns.set(known.id, standIns.alike(known.value));
      return known.id;
    };
    const escaped = text.replaceAll(OPEN, LITERAL);
    const { text: named, exact } = this.#mapped(escaped, (known) => (known === undefined ? '?' : idOf(known)), true);
    const sealed = this.#withPersons(named, (value) => {
      const known = this.#persons.get(value);
      return known === undefined ? undefined : idOf(known);
    });
    const safe = redaction.text(sealed);
    return { text: safe, exact: exact && safe === sealed };
  }

  /** Stand-ins that the responses sealed since the last call need. */
  takeStandIns(): NamedStandIn[] {
    const all = [...this.#standIns];
    this.#standIns.clear();
    return all;
  }

  /** States, in a replay, which values stand in for what the target issued: they keep their ids. */
  expectStandIns(standIns: ReadonlyMap<string, string>): void {
    for (const [id, value] of standIns) if (!this.#idsOfStandIns.has(value)) this.#idsOfStandIns.set(value, id);
  }

  /** The reverse, in a replay: each id becomes this process's value of it, else the stand-in of the recording. */
  opened(text: string, standIns: ReadonlyMap<string, string>): string {
    return text.replaceAll(MARKER, (all, id: string | undefined, form: string | undefined) => {
      if (id === undefined) return OPEN;
      const value = this.#byId.get(id)?.value ?? standIns.get(id);
      const write = FORMS[form ?? ''];
      return value === undefined || write === undefined ? all : write(value);
    });
  }

  // ---- how

  /** Secrets in a text as markers, each with its form when `withForm`. */
  #mapped(text: string, label: (known: Known | undefined) => string, withForm = false): Sealed {
    let exact = true;
    const marker = (piece: string, known: readonly Known[]): string => {
      for (const one of known) {
        const form = Object.entries(FORMS).find(([, write]) => write(one.value) === piece)?.[0];
        if (form === undefined) continue;
        return `${OPEN}${label(one)}${withForm && form !== '' ? `:${form}` : ''}${CLOSE}`;
      }
      exact = false;
      return `${OPEN}${label(undefined)}${CLOSE}`;
    };
    let output = '';
    let at = 0;
    for (const { start, end, known } of this.#clusters(text, this.#search.find(text))) {
      output += text.slice(at, start) + marker(text.slice(start, end), known);
      at = end;
    }
    output += text.slice(at);
    return { text: this.#shortMapped(output, marker), exact };
  }

  /** Overlapping finds are one; of those that cover all of it one can name it. */
  #clusters(text: string, finds: readonly Find[]): { start: number; end: number; known: Known[] }[] {
    const clusters: { start: number; end: number; finds: Find[] }[] = [];
    for (const find of finds) {
      const last = clusters.at(-1);
      if (last === undefined || find.start >= last.end) {
        clusters.push({ start: find.start, end: find.end, finds: [find] });
      } else {
        last.end = Math.max(last.end, find.end);
        last.finds.push(find);
      }
    }
    const knownIn = (within: readonly Find[], start: number, end: number): Known[] =>
      within
        .filter((find) => find.start === start && find.end === end)
        .map((find) => this.#byId.get(find.label.slice(1)))
        .filter((known) => known !== undefined);
    return clusters.map(({ start, end, finds: within }) => {
      // `=34` may be the digit 4 in a mail, or the sign in front of a value that begins with 34.
      const behindSign = text[start] === '=' ? knownIn(within, start + 1, end) : [];
      return behindSign.length > 0
        ? { start: start + 1, end, known: behindSign }
        : { start, end, known: knownIn(within, start, end) };
    });
  }

  /** Short secrets occur by chance in ordinary text, so they are looked for in fields that carry credentials only. */
  #shortMapped(text: string, marker: (piece: string, known: readonly Known[]) => string): string {
    const short = [...this.#byValue.values()].filter(({ value }) => value.length < MIN_EVERYWHERE_CHARS);
    if (short.length === 0) return text;
    return this.#options.redaction.shortInFields(text, (piece) => marker(piece, short));
  }

  #withPersons(text: string, label: (value: string) => string | undefined): string {
    const { showPersonalData, mark } = this.#options;
    if (showPersonalData) return text;
    return mapPersonalText(text, (value, form) => {
      if (value.includes(mark) || value.includes(OPEN)) return undefined;
      const name = label(value);
      return name === undefined
        ? undefined
        : `${OPEN}${name}${form === '' || name === PERSON ? '' : `:${form}`}${CLOSE}`;
    });
  }
}
