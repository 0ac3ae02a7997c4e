/** Snippets and data of app installations: what was set last, and what later reads show. */
import { isUnset } from '../../../fields/unset.ts';
import { isJsonObject } from '../../../json/object.ts';
import { inWords } from '../../../json/words.ts';
import { responseKind, type ServiceRequest } from '../../call.ts';
import { Memory } from '../../memory.ts';
import { isHidden, isRedacted } from '../../reading/redacted.ts';
import { named } from '../responses.ts';
import { changedNothing } from './refusals/index.ts';
import { isExpected } from './values/expected.ts';
import { isEqual } from './values/index.ts';
import type { PendingFindings } from './values/pending.ts';

/** What was set last: a value, or nothing at all since the app was deleted. */
interface Setting {
  value: unknown;
  /** What was set before it and known to be there; undefined where that is open. */
  readonly before: unknown;
  /** How its language was written. */
  readonly language: string;
  /** The value is unknown: writes overlapped, or one had no clear outcome. */
  isOpen: boolean;
  isDeleted: boolean;
  /** It was read, not set: it only has to be gone once the app was deleted. */
  readonly isOnlyRead: boolean;
  /** It was set with a language of null, and not read since. */
  isForNull: boolean;
  /** A value that was refused since. */
  refused: { readonly value: unknown; readonly name: string; readonly n: number } | undefined;
  n: number;
  name: string;
  endMs: number;
  busyMs: number;
}

/** Snippets, by language, and data. */
type Installation = Map<string, Setting>;

const NULL_LANGUAGE = 'apps.snippet.null-language';
const SNIPPET_REPLACED = 'apps.snippet.replaced';
const DATA_REPLACED = 'apps.data.replaced-entirely';
const REFUSED_CHANGES_NOTHING = 'envelope.delivery.refusal-changes-nothing';

export const APP_STATE_CLAUSES = [
  'apps.data.string-kept',
  'apps.data.object-kept',
  DATA_REPLACED,
  'apps.delete.clears-data',
  'apps.delete.clears-snippets',
  'apps.snippet.default-kept',
  'apps.snippet.language-kept',
  SNIPPET_REPLACED,
  'apps.snippet.default-and-language-separate',
  NULL_LANGUAGE,
  REFUSED_CHANGES_NOTHING,
];

const MAX_INSTALLATIONS = 200;
const MAX_LANGUAGES = 100;
/** Characters of one value. */
const MAX_VALUE_CHARACTERS = 100_000;

const DATA = 'data';
const snippetOf = (language: string): string => `snippet ${language.toLowerCase().replaceAll('_', '-')}`;

/** A rule with memory: takes every call of one base, in their order. */
export class AppState {
  readonly #pending: PendingFindings;
  readonly #installations = new Memory<Installation>({ entries: MAX_INSTALLATIONS });

  constructor(pending: PendingFindings) {
    this.#pending = pending;
  }

  call(call: ServiceRequest): void {
    const { operation, seen, match } = call;
    const code = seen.query.findLast(([name]) => name.toLowerCase() === 'authcode')?.[1];
    // Hidden codes of two installations look the same.
    if (operation === undefined || code === undefined || code === '' || isHidden(code)) return;
    const known = this.#installations.get(code);
    const installation = this.#installations.set(code, known ?? new Map<string, Setting>());
    const body = seen.requestBody.kind === 'json' && isJsonObject(seen.requestBody.value) ? seen.requestBody.value : {};
    const language = typeof body.language === 'string' ? body.language : '';
    const isNull = body.language === null;
    // The contract does not say which snippet an invalid language means.
    const isUnclear = body.language !== undefined && language === '' && !isNull;
    if (operation.id === 'setData') this.#set(call, installation, DATA, '', body.data);
    else if (operation.id === 'setSnippet') {
      // A service may mean every language by null.
      if (isUnclear || isNull) this.#leaveSnippetsOpen(call, installation);
      if (!isUnclear) this.#set(call, installation, snippetOf(language), language, body.snippet, isNull);
    } else if (operation.id === 'uninstallApp') this.#uninstall(call, installation);
    else if (operation.id === 'getData') this.#read(call, installation, DATA, '');
    else if (operation.id === 'getSnippet') this.#read(call, installation, snippetOf(''), '');
    else if (operation.id === 'getLanguageSnippet') {
      const of = match?.params.language ?? '';
      this.#read(call, installation, snippetOf(of), of);
    }
  }

  forget(): void {
    for (const installation of this.#installations.values()) installation.clear();
  }

  #set(
    call: ServiceRequest,
    installation: Installation,
    what: string,
    language: string,
    value: unknown,
    isForNull = false,
  ): void {
    const { seen } = call;
    const kind = responseKind(call);
    const known = installation.get(what);
    if (changedNothing(call)) {
      if (known !== undefined) known.refused = { value, name: named(call), n: seen.n };
      return;
    }
    this.#pending.takeBack(installation, what);
    const before = known?.isOnlyRead === true ? undefined : known;
    if (known === undefined && installation.size >= MAX_LANGUAGES) return;
    const isText = typeof value === 'string' && value.length <= MAX_VALUE_CHARACTERS && !isRedacted(value);
    const isData = what === DATA && isJsonObject(value) && JSON.stringify(value).length <= MAX_VALUE_CHARACTERS;
    const holdsHidden = isData && isRedacted(JSON.stringify(value));
    installation.set(what, {
      value,
      before: before === undefined || before.isOpen || before.isDeleted ? undefined : before.value,
      language,
      isOpen:
        kind !== 'served' ||
        (!isText && !isData) ||
        holdsHidden ||
        seen.startMs < (before?.busyMs ?? 0) ||
        (before !== undefined && before.language !== language),
      isDeleted: false,
      isOnlyRead: false,
      isForNull,
      refused: undefined,
      ...{ n: seen.n, name: named(call), endMs: seen.endMs },
      busyMs: Math.max(before?.busyMs ?? 0, seen.endMs),
    });
  }

  #leaveSnippetsOpen(call: ServiceRequest, installation: Installation): void {
    if (changedNothing(call)) return;
    this.#pending.takeBack(installation);
    for (const [what, setting] of installation) if (what !== DATA) setting.isOpen = true;
  }

  #uninstall(call: ServiceRequest, installation: Installation): void {
    const { seen } = call;
    const kind = responseKind(call);
    if (changedNothing(call)) return;
    this.#pending.takeBack(installation);
    for (const setting of installation.values()) {
      setting.isOpen ||= kind !== 'served' || seen.startMs < setting.busyMs;
      setting.isDeleted = true;
      setting.busyMs = Math.max(setting.busyMs, seen.endMs);
      Object.assign(setting, { n: seen.n, name: named(call), endMs: seen.endMs });
    }
  }

  /** A value that was set before the recording, as far as it can be compared later. */
  #learn(call: ServiceRequest, installation: Installation, what: string, language: string): void {
    const { seen } = call;
    const body = seen.responseBody;
    if (responseKind(call) !== 'served' || body.kind !== 'json' || !isJsonObject(body.value)) return;
    const value = body.value[memberOf(what)];
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (text === undefined || text.length > MAX_VALUE_CHARACTERS || isRedacted(text)) return;
    if (!installation.has(what) && installation.size >= MAX_LANGUAGES) return;
    installation.set(what, {
      ...{ value, before: undefined, language, isOpen: false, isDeleted: false },
      ...{ isOnlyRead: true, isForNull: false, refused: undefined },
      ...{ n: seen.n, name: named(call), endMs: seen.endMs, busyMs: seen.endMs },
    });
  }

  /** A value that was there before the recording, and in its place what was refused since. */
  #judgeRefused(call: ServiceRequest, installation: Installation, what: string, setting: Setting): void {
    const { seen } = call;
    const { refused, value } = setting;
    const body = seen.responseBody;
    if (refused === undefined || isUnset(value) || isEqual(value, refused.value)) return;
    if (responseKind(call) !== 'served' || body.kind !== 'json' || !isJsonObject(body.value)) return;
    const got = body.value[memberOf(what)];
    if (!isExpected(setting.endMs, seen.startMs) || isUnset(got) || !isEqual(got, refused.value)) return;
    this.#pending.breaks(call, installation, what, REFUSED_CHANGES_NOTHING, {
      message: `${named(call)} returns what ${refused.name} (exchange ${refused.n}) was refused`,
      pointer: `/${memberOf(what)}`,
      expected: value,
      actual: got,
    });
  }

  #read(call: ServiceRequest, installation: Installation, what: string, language: string): void {
    const member = memberOf(what);
    const { seen } = call;
    const setting = installation.get(what);
    const body = seen.responseBody;
    if (setting === undefined || (setting.isOnlyRead && !setting.isDeleted)) {
      if (setting !== undefined) this.#judgeRefused(call, installation, what, setting);
      this.#learn(call, installation, what, language);
      return;
    }
    if (setting.isOpen || setting.language !== language) return;
    if (responseKind(call) !== 'served' || body.kind !== 'json') return;
    if (seen.startMs < setting.busyMs || !isExpected(setting.endMs, seen.startMs)) return;
    const got = isJsonObject(body.value) ? body.value[member] : undefined;
    if (isRedacted(typeof got === 'string' ? got : (JSON.stringify(got) ?? ''))) return;
    const { value, isDeleted, refused } = setting;
    if (isEmpty(value)) {
      if (!isDeleted && refused === undefined) this.#judgeEmptied(call, installation, what, { setting, got });
      return;
    }
    if (!isDeleted && isEqual(got, value)) setting.isForNull = false;
    if (isDeleted ? !isEqual(got, value) : isEqual(got, value)) return;
    const others = [...installation].filter(([name]) => name !== what && name !== DATA);
    const other = member === 'snippet' ? others.find(([, one]) => isEqual(one.value, got) && !isUnset(got)) : undefined;
    setting.isOpen = true;
    this.#pending.breaks(call, installation, what, clauseOf(what, setting, other !== undefined), {
      message: isDeleted
        ? `${named(call)} returns what was set before ${setting.name} (exchange ${setting.n})`
        : `${named(call)} does not return what ${setting.name} (exchange ${setting.n}) set${refused === undefined ? '' : `, after ${refused.name} (exchange ${refused.n}) was refused`}${other === undefined ? '' : `, but the snippet of ${other[0] === snippetOf('') ? 'no language' : 'another language'}`}`,
      pointer: `/${member}`,
      expected: isDeleted ? 'no value' : value,
      actual: got ?? inWords(got),
    });
  }

  /** After an empty value was set, the one before it is gone. As what the empty value is read is open. */
  #judgeEmptied(
    call: ServiceRequest,
    installation: Installation,
    what: string,
    { setting, got }: { readonly setting: Setting; readonly got: unknown },
  ): void {
    if (setting.isForNull || isEmpty(setting.before) || !isEqual(got, setting.before)) return;
    setting.isOpen = true;
    this.#pending.breaks(call, installation, what, what === DATA ? DATA_REPLACED : SNIPPET_REPLACED, {
      message: `${named(call)} returns what was set before ${setting.name} (exchange ${setting.n}) emptied it`,
      pointer: `/${memberOf(what)}`,
      expected: setting.value,
      actual: got,
    });
  }
}

const isEmpty = (value: unknown): boolean => isUnset(value) || (isJsonObject(value) && Object.keys(value).length === 0);

const memberOf = (what: string): string => (what === DATA ? 'data' : 'snippet');

function clauseOf(what: string, { isDeleted, isForNull, refused, value }: Setting, isOther: boolean): string {
  if (isForNull && !isDeleted) return NULL_LANGUAGE;
  if (refused !== undefined && !isDeleted) return REFUSED_CHANGES_NOTHING;
  if (what === DATA) {
    if (isDeleted) return 'apps.delete.clears-data';
    return typeof value === 'string' ? 'apps.data.string-kept' : 'apps.data.object-kept';
  }
  if (isDeleted) return 'apps.delete.clears-snippets';
  if (isOther) return 'apps.snippet.default-and-language-separate';
  return what === snippetOf('') ? 'apps.snippet.default-kept' : 'apps.snippet.language-kept';
}
