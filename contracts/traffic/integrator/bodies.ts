/** What an integrator sends in the bodies of single calls (spec: Resources and their fields; Endpoints). */

import { isJsonContentType } from '../../envelopes/index.ts';
import { METHOD_COUNTRY_LISTS } from '../../fields/catalogue/delivery.ts';
import { isCurrentCountryCode } from '../../fields/countries.ts';
import { isCountryCode, isLanguageCode } from '../../fields/scalars.ts';
import { isUnset } from '../../fields/unset.ts';
import { isJsonObject } from '../../json/object.ts';
import { pointerOf, valueAt } from '../../json/pointer.ts';
import { inWords } from '../../json/words.ts';
import type { OperationId } from '../../operations/index.ts';
import type { SchemaFault } from '../../schemas/index.ts';
import { type RuleContext, responseKind, type ServiceRequest } from '../call.ts';
import { isFormType } from '../form.ts';
import { isPlaceholder, isTemplate } from '../reading/given-values.ts';
import { isRedacted, mayBeRedacted } from '../reading/redacted.ts';
import { requestFaults } from '../reading/requests.ts';
import type { SeenExchange } from '../reading/seen.ts';
import { named, say } from '../service/responses.ts';

export const BODY_CLAUSES = [
  'envelope.v1.request-bodies-are-json',
  'provider.calls.wrapped-bodies',
  'provider.calls.field-types',
  'provider.calls.country-codes',
  'provider.calls.name-not-sent',
  'provider.calls.texts',
  'provider.calls.languages',
  'provider.label.https',
  'app.calls.snippet-string',
  'app.calls.data-string-or-object',
  'app.calls.data-empty-list',
];

type Json = Readonly<Record<string, unknown>>;

/** Names under which bodies wrap what they send. */
const WRAPPERS: Readonly<Partial<Record<OperationId, string>>> = {
  addMethod: 'delivery_method',
  changeMethod: 'delivery_method',
  addPoint: 'pickup_point',
  changePoint: 'pickup_point',
  readProviderSettings: 'order_uuid',
};

/** Operations whose bodies carry methods or points. */
const CARRYING_RESOURCES: ReadonlySet<OperationId> = new Set([
  'addMethod',
  'changeMethod',
  'addPoint',
  'changePoint',
  'batchReplace',
] as const);

/** Judges the body of one call. */
export function judgeBody(call: ServiceRequest, scene: RuleContext): void {
  const { operation, document, seen } = call;
  if (operation === undefined || document === 'api') return;
  judgePayload(call, scene);
  if (operation.id === 'getLanguageSnippet') judgeAskedLanguage(call, scene);
  if (operation.id === 'getSnippet') adviseOnLanguageParameter(call, scene);
  const body = seen.requestBody;
  if (operation.request === undefined) return;
  const isEmpty = body.kind === 'none';
  // A body that cannot be read is reported once; what would have been in it is not judged.
  if (body.kind !== 'json' && !isEmpty) return;
  const value = body.kind === 'json' ? body.value : undefined;
  const wrapper = WRAPPERS[operation.id];
  if (wrapper !== undefined) judgeWrapper(call, scene, wrapper, value);
  else if (operation.id === 'setSnippet') judgeSnippet(call, scene, value);
  else if (operation.id === 'setData') judgeAppData(call, scene, value);
  if (CARRYING_RESOURCES.has(operation.id)) judgeFields(call, scene, value);
}

function judgePayload(call: ServiceRequest, { notes }: RuleContext): void {
  const { seen } = call;
  const clause = 'envelope.v1.request-bodies-are-json';
  const body = seen.requestBody;
  if (body.kind === 'none') return;
  if (body.kind === 'unknown') {
    notes.undecided(clause, seen.n, `the body of ${named(call)} can't be judged: ${body.why}`);
    return;
  }
  const type = seen.header('content-type');
  const coding = body.kind === 'bytes' ? (seen.header('content-encoding') ?? '') : '';
  if (!/^\s*(?:identity\s*)?$/i.test(coding)) {
    notes.advises(clause, seen.n, {
      message: `${named(call)} was sent compressed, which the contract does not promise to be read`,
      pointer: 'header content-encoding',
      expected: 'no content coding',
      actual: coding,
    });
    return;
  }
  const isUtf8 = body.kind !== 'bytes' && !hasReplacedBytes(seen);
  if (body.kind !== 'json' || !isUtf8) {
    const what = isFormType(type) ? 'a form' : isUtf8 ? 'not JSON' : 'not UTF-8, and so not JSON';
    notes.breaks(clause, seen.n, {
      message: `${named(call)} was sent with a body that is ${what}`,
      pointer: '',
      expected: 'a JSON object',
      actual: type ?? 'no content type',
    });
    return;
  }
  notes.keeps(clause, seen.n);
  if (seen.exchange.request.body?.text?.startsWith('\uFEFF') === true) {
    notes.advises(clause, seen.n, {
      message: `${named(call)} sends JSON behind a byte order mark, which many readers of JSON refuse`,
      pointer: '',
      expected: 'JSON without a byte order mark',
      actual: 'a byte order mark, and then JSON',
    });
  }
  if (seen.exchange.request.headers.length === 0 || isJsonContentType(type)) return;
  notes.advises(clause, seen.n, {
    message: `${named(call)} sends JSON ${type === undefined ? 'without a content type' : `with the content type ${JSON.stringify(type)}`}, which works only because the service is lenient`,
    pointer: 'header content-type',
    expected: 'application/json',
    actual: type ?? 'none',
  });
}

/**
 * Whether the recorder replaced bytes that are not UTF-8: each became a character of three bytes, so that the text is longer than
 * what was sent. One that was meant has its length.
 */
function hasReplacedBytes(seen: SeenExchange): boolean {
  const text = seen.exchange.request.body?.text;
  if (text?.includes('\uFFFD') !== true || mayBeRedacted(text)) return false;
  if (seen.header('content-encoding') !== undefined) return false;
  const length = Number(seen.header('content-length') ?? Number.NaN);
  const replaced = text.split('\uFFFD').length - 1;
  // Each replaces one to three bytes.
  return length < Buffer.byteLength(text) && length >= Buffer.byteLength(text) - 2 * replaced;
}

function judgeWrapper(call: ServiceRequest, scene: RuleContext, wrapper: string, value: unknown): void {
  const inside = isJsonObject(value) ? value[wrapper] : undefined;
  const isRight = wrapper === 'order_uuid' ? typeof inside === 'string' && inside.trim() !== '' : isObjectLike(inside);
  const missing = value === undefined ? 'a body' : wrapper;
  const how = inside === undefined ? `without ${missing}` : `with ${wrapper} as ${inWords(inside)}`;
  say(scene, 'provider.calls.wrapped-bodies', call.seen.n, isRight, {
    message: `${named(call)} was sent ${how}`,
    pointer: pointerOf(wrapper),
    expected: wrapper === 'order_uuid' ? 'the uuid of an order' : `an object named ${wrapper}`,
    actual: inWords(inside),
  });
  if (wrapper === 'order_uuid' && typeof inside === 'string' && isPlaceholder(inside))
    judgeUnfilled(call, scene, inside);
}

/** A uuid that was not filled in names no order. The name of a variable may be what a tool recorded in place of the value. */
function judgeUnfilled(call: ServiceRequest, { notes }: RuleContext, uuid: string): void {
  if (isTemplate(uuid) || responseKind(call) !== 'refused') return;
  notes.advises('provider.calls.wrapped-bodies', call.seen.n, {
    message: `${named(call)} was refused: its order_uuid is ${JSON.stringify(uuid)}, which a program did not fill in`,
    pointer: pointerOf('order_uuid'),
    expected: 'the uuid of an order',
  });
}

/** In some languages an empty map and an empty list are one thing. */
const isObjectLike = (value: unknown): boolean => isJsonObject(value) || (Array.isArray(value) && value.length === 0);

/** The methods and points of a body, with their places. */
function resourcesOf(value: unknown): Array<{ record: Json; at: string }> {
  if (!isJsonObject(value)) return [];
  const alone = ['delivery_method', 'pickup_point'].flatMap((name) => {
    const record = value[name];
    return isJsonObject(record) ? [{ record, at: pointerOf(name) }] : [];
  });
  const list = Array.isArray(value.pickup_points) ? value.pickup_points : [];
  const listed = list.flatMap((record, i) =>
    isJsonObject(record) ? [{ record, at: pointerOf('pickup_points', i) }] : [],
  );
  return [...alone, ...listed];
}

function judgeFields(call: ServiceRequest, scene: RuleContext, value: unknown): void {
  const resources = resourcesOf(value);
  const { notes } = scene;
  const { n } = call.seen;
  const broken = new Set<string>();
  for (const fault of requestFaults(call) ?? []) {
    const clause = clauseOfFault(fault);
    const actual = valueAt(value, fault.pointer);
    if (clause === undefined) continue;
    broken.add(clause);
    // An empty list is what some languages make of an empty map.
    if (/\/(?:title|attributes|pickup_point|delivery_method)$/.test(fault.pointer) && isEmptyList(actual)) {
      notes.advises(clause, n, {
        message: `${named(call)} sends an empty list where an object is expected`,
        pointer: fault.pointer,
        expected: 'an object',
        actual: 'an empty list',
      });
    } else if (isRedacted(actual)) {
      notes.undecided(clause, n, `${fault.pointer} of ${named(call)} was redacted in the recording`);
    } else {
      notes.breaks(clause, n, {
        message: `${named(call)}: ${fault.pointer} ${fault.message}`,
        pointer: fault.pointer,
        expected: fault.message.replace(/, and is .*$/, ''),
        actual: inWords(actual),
      });
    }
  }
  if (resources.length > 0 && !broken.has('provider.calls.field-types')) notes.keeps('provider.calls.field-types', n);
  const countries = [...resources.map(({ record }) => record), value].flatMap(countriesOf);
  if (!broken.has('provider.calls.country-codes') && countries.length > 0) judgeCountries(call, scene, countries);
  const texts = resources.flatMap(({ record, at }) => (isUnset(record.title) ? [] : [{ title: record.title, at }]));
  if (texts.length > 0 && !broken.has('provider.calls.texts')) notes.keeps('provider.calls.texts', n);
  for (const { title, at } of texts) if (isJsonObject(title)) judgeLanguages(call, scene, title, `${at}/title`);
  const method = isJsonObject(value) ? value.delivery_method : undefined;
  if (!isJsonObject(method)) return;
  say(scene, 'provider.calls.name-not-sent', n, !Object.hasOwn(method, 'name'), {
    message: `${named(call)} sends the name of the method, which is read-only`,
    pointer: '/delivery_method/name',
    expected: 'no name',
  });
  judgeLabelAddress(call, scene, method.print_label_url);
}

/** The clause of a deviation from the schema; undefined where another rule judges it. */
function clauseOfFault({ pointer, keyword }: SchemaFault): string | undefined {
  const steps = pointer.split('/').slice(1);
  const inResource = steps[0] === 'pickup_points' ? steps.slice(2) : steps.slice(1);
  const [member] = inResource;
  if (steps[0] === 'country') return 'provider.calls.country-codes';
  // Wrappers, lists, their lengths and flags have clauses of their own.
  if (steps.length === 0 || steps[0]?.startsWith('is_') === true) return undefined;
  if (member === undefined) {
    const isPoint = steps[0] === 'pickup_points' && steps.length === 2;
    return isPoint || keyword === 'required' ? 'provider.calls.field-types' : undefined;
  }
  if (member === 'title') return 'provider.calls.texts';
  if (member === 'country') return 'provider.calls.country-codes';
  if (METHOD_COUNTRY_LISTS.includes(member) && inResource.length > 1) return 'provider.calls.country-codes';
  return 'provider.calls.field-types';
}

/** The country codes of a method or a point, or of a call for one country. */
function countriesOf(record: unknown): string[] {
  if (!isJsonObject(record)) return [];
  const listed = METHOD_COUNTRY_LISTS.flatMap((name) =>
    Array.isArray(record[name]) ? (record[name] as unknown[]) : [],
  );
  return [record.country, ...listed].filter((country) => isCountryCode(country));
}

/** All are of two letters. */
function judgeCountries(call: ServiceRequest, { notes }: RuleContext, countries: readonly string[]): void {
  const clause = 'provider.calls.country-codes';
  notes.keeps(clause, call.seen.n);
  const unknown = countries.find((code) => !isCurrentCountryCode(code));
  if (unknown === undefined) return;
  notes.advises(clause, call.seen.n, {
    message: `${named(call)} names the country ${unknown}, which is not an ISO 3166-1 code; the method will not be offered`,
    pointer: '',
    expected: 'a code such as GB for the United Kingdom or GR for Greece',
    actual: unknown,
  });
}

function judgeLanguages(call: ServiceRequest, { notes, facts }: RuleContext, title: Json, at: string): void {
  const clause = 'provider.calls.languages';
  const { n } = call.seen;
  for (const code of Object.keys(title)) {
    if (isRedacted(code)) continue;
    const isKnown = facts.languages.includes(code);
    if (isKnown) notes.keeps(clause, n);
    else if (facts.languages.length === 0 && isLanguageCode(code)) {
      notes.undecided(clause, n, 'the traffic does not say which languages the website has');
    } else {
      notes.breaks(clause, n, {
        message: `${named(call)} names the language ${JSON.stringify(code)}, which ${facts.languages.length === 0 ? 'is not a language code' : 'the website does not have'}`,
        pointer: at + pointerOf(code),
        expected: facts.languages.length === 0 ? 'a language code of the website' : facts.languages,
        actual: code,
      });
    }
  }
}

/** HTTPS binds the pages that integrators host; on loopback it is not needed. */
function judgeLabelAddress(call: ServiceRequest, scene: RuleContext, address: unknown): void {
  if (typeof address !== 'string' || !/^https?:\/\//i.test(address) || isRedacted(address)) return;
  say(scene, 'provider.label.https', call.seen.n, isSecure(address), {
    message: `${named(call)} sets a label address over plain http`,
    pointer: '/delivery_method/print_label_url',
    expected: 'an https address',
    actual: address,
  });
}

/** True for https, and for http on this machine. */
export function isSecure(address: string): boolean {
  if (/^https:/i.test(address)) return true;
  const host = /^http:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/i.exec(address)?.[1]?.toLowerCase() ?? '';
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function judgeSnippet(call: ServiceRequest, scene: RuleContext, value: unknown): void {
  const snippet = isJsonObject(value) ? value.snippet : undefined;
  const language = isJsonObject(value) ? value.language : undefined;
  const isLanguage = isUnset(language) || isLanguageCode(language) || isRedacted(language);
  const isText = typeof snippet === 'string';
  say(scene, 'app.calls.snippet-string', call.seen.n, isText && isLanguage, {
    message: isText
      ? `${named(call)} sends the language ${inWords(language)}, which is not a language code`
      : `${named(call)} sends ${inWords(snippet)} as the snippet`,
    pointer: isText ? '/language' : '/snippet',
    expected: isText ? 'a language code, or none' : 'a string',
    actual: inWords(isText ? language : snippet),
  });
  if (isText) adviseOnOddLanguage(call, scene, language);
  if (isText && isUnset(language)) adviseOnNameOfLanguage(call, scene, value);
}

/** Names that are not the contract's: a service does not read them. */
const OTHER_NAMES_OF_LANGUAGE = /^(?:lang|locale|(?:lang|language)_?code)$/i;

/** A language under another name than `language` is ignored: what is meant for the pages in one language is shown on all. */
function adviseOnNameOfLanguage(call: ServiceRequest, { notes }: RuleContext, value: unknown): void {
  const [name, code] = Object.entries(value as Json).find(([one]) => OTHER_NAMES_OF_LANGUAGE.test(one)) ?? [];
  if (name === undefined || isUnset(code)) return;
  notes.advises('app.calls.snippet-string', call.seen.n, {
    message: `${named(call)} sends a language as ${name}, where the interface takes it as language: the snippet is shown on all pages`,
    pointer: pointerOf(name),
    expected: 'language',
    actual: name,
  });
}

function judgeAskedLanguage(call: ServiceRequest, scene: RuleContext): void {
  const language = call.match?.params.language ?? '';
  if (isRedacted(language) || isLanguageCode(language)) return;
  scene.notes.breaks('app.calls.snippet-string', call.seen.n, {
    message: `${named(call)} asks for the language ${inWords(language)}, which is not a language code`,
    pointer: 'path',
    expected: 'a language code',
    actual: language,
  });
}

/** The language of a snippet is a part of the path: as a parameter it is ignored. */
function adviseOnLanguageParameter(call: ServiceRequest, { notes }: RuleContext): void {
  const language = call.seen.query.find(([name]) => /^(?:language|lang)$/i.test(name))?.[1] ?? '';
  if (language === '') return;
  notes.advises('app.calls.known-operations', call.seen.n, {
    message: `${named(call)} names a language in its query, where the interface takes it as a part of the path: it gets the snippet of all pages`,
    pointer: 'query language',
    expected: '/apps/get_snippet/{language}/',
    actual: language,
  });
}

/**
 * Whether a website takes snippets in a language that it does not have is the service's affair; one that it refuses is not shown,
 * and one in other letters may not be. An empty one may be taken for a language.
 */
function adviseOnOddLanguage(call: ServiceRequest, { notes, facts }: RuleContext, language: unknown): void {
  if (language === '' || isEmptyList(language)) {
    notes.advises('app.calls.snippet-string', call.seen.n, {
      message: `${named(call)} sends ${inWords(language)} as the language: a service need not take that for none`,
      pointer: '/language',
      expected: 'a language code, null or no such member',
      actual: inWords(language),
    });
  }
  if (typeof language !== 'string' || !isLanguageCode(language)) return;
  if (facts.languages.length === 0 || facts.languages.includes(language)) return;
  const isRefused = responseKind(call) === 'refused';
  const meant = facts.languages.find((one) => one.toLowerCase() === language.toLowerCase());
  if (!isRefused && meant === undefined) return;
  notes.advises('app.calls.snippet-string', call.seen.n, {
    message: isRefused
      ? `${named(call)} was refused: it names the language ${language}, which the website does not have`
      : `${named(call)} names the language ${language}, which the website writes as ${meant}: pages in that language may lack the snippet`,
    pointer: '/language',
    expected: facts.languages,
    actual: language,
  });
}

function judgeAppData(call: ServiceRequest, scene: RuleContext, value: unknown): void {
  const data = isJsonObject(value) ? value.data : undefined;
  const { n } = call.seen;
  const isEmpty = isEmptyList(data);
  say(scene, 'app.calls.data-empty-list', n, !isEmpty, {
    message: `${named(call)} sends an empty list as data, where an empty object is expected`,
    pointer: '/data',
    expected: '{}',
    actual: '[]',
  });
  if (isEmpty) return;
  say(scene, 'app.calls.data-string-or-object', n, typeof data === 'string' || isJsonObject(data), {
    message: `${named(call)} sends ${inWords(data)} as data`,
    pointer: '/data',
    expected: 'a string or an object',
    actual: inWords(data),
  });
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
