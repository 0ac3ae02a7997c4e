/**
 * Plain stand-ins for the values that a check chose. The contract promises no lengths and no alphabets, and it does not say which
 * fields may be left out. Where a target refuses what a check sent, the check runs once more through these: each value of its own
 * goes out as a short word of ASCII letters, fields that were left out of a new object go out filled, and responses are
 * translated back into the check's own values. A stand-in that comes back changed is not recognised, so that the check still fails.
 */

import { isJsonObject } from '../../../contracts/json/object.ts';
import type { ServiceRequest } from '../../target/client/request.ts';
import type { ServiceResponse } from '../../target/client/types.ts';
import type { Secret } from '../../target/secrets/secret.ts';
import {
  COUNTRY_FIELDS,
  type Code,
  type CodeForm,
  hasSmallCountries,
  ID_FORMS,
  type IdForm,
  idFormIn,
  POINT_PATH,
} from './codes.ts';
import type { HomeCountry } from './home-country.ts';
import { updateKindOf, type ValueKind } from './kinds.ts';
import {
  isOfUsualLength,
  isShortText,
  MAX_PLAIN_KEYS,
  PLAIN_ADDRESS,
  PLAIN_ID,
  PLAIN_KEY,
  PLAIN_REFERENCE,
  PLAIN_STREET,
  PLAIN_TEXT,
  WRAPPER_MEMBERS,
} from './plain-forms.ts';
import { Replacements } from './replacements.ts';
import { plainResellerCall } from './reseller-call.ts';

type Json = Record<string, unknown>;

/** Which fields are added to an update. */
export type Completion = 'all' | 'id';

export interface StandInOptions {
  /** Makes the words of two attempts differ. */
  readonly mark: string;
  /** The languages of the website: a text that is sent as an object gets all of them. */
  readonly languages: readonly string[];
  /** The language in which a website stores a plain string. */
  readonly defaultLanguage?: string | undefined;
  /** The country of new points that the check leaves without one. */
  readonly country: string;
  /** Set if the store is in another country than the one that checks write: the two are exchanged. */
  readonly home?: HomeCountry | undefined;
  /** Fields that go out as the check chose them; `method` for the method of HTTP. */
  readonly exact?: readonly string[];
  /** Whether the target seems to take only this one of GET and POST on a path of Reseller. */
  readonly takesOnly?: (method: 'GET' | 'POST', path: string) => boolean;
  /** Whether a new method without a label address goes out with one; by default it does. */
  readonly fillsLabelAddress?: () => boolean;
  /** The reference of new methods if the target refuses ours; `null` for none. */
  readonly methodReference?: () => string | null | undefined;
  /**
   * The form of ids and references if words with small letters are refused (snippets are then a script), and whether countries go out
   * in small letters.
   */
  readonly codes?: CodeForm | undefined;
  /** The form in which the target is known to take references, or ids: these do not go out in another form. */
  readonly codeServedAs?: (code: Code) => 'words' | IdForm | undefined;
  /** The temporary password of the run, with a plainer one. */
  readonly password?: readonly [own: Secret, plain: Secret] | undefined;
  /** The kinds of values that are replaced, if not all of them. */
  readonly only?: ReadonlySet<ValueKind> | undefined;
}

const TEXTS_OF_POINTS = ['address', 'city'] as const;

export class StandIns {
  readonly #options: StandInOptions;
  /** The form of codes that are not words. */
  readonly #codeForm: IdForm | undefined;
  readonly #replacements: Replacements;
  readonly #home: HomeCountry | undefined;

  constructor(options: StandInOptions) {
    this.#options = options;
    this.#home = options.only?.has('country') === false ? undefined : options.home;
    this.#codeForm = ID_FORMS.find((form) => options.only?.has(form)) ?? idFormIn(options.codes);
    this.#replacements = new Replacements(options.mark);
  }

  /** Whether a call carries anything that has a plainer stand-in; `before`: how it goes out without these. */
  changes(call: ServiceRequest, before = call): boolean {
    const sent = this.call(call);
    if (call.api === 'api' && !this.#options.exact?.includes('method')) return true;
    return sent.path !== before.path || JSON.stringify(plainBody(sent)) !== JSON.stringify(plainBody(before));
  }

  /** Whether the check runs as if the store were in the country that it writes. */
  get isElsewhere(): boolean {
    return this.#home !== undefined;
  }

  /** The kinds of values that are replaced; undefined for all of them. */
  get only(): ReadonlySet<ValueKind> | undefined {
    return this.#options.only;
  }

  /** The form in which ids of points go out, for a check whose ids have no stand-ins; undefined where they stay words. */
  get idForm(): IdForm | undefined {
    return this.#formOf('id');
  }

  #replaces(kind: ValueKind): boolean {
    return this.#options.only?.has(kind) !== false;
  }

  /** The form of references or ids; undefined where they stay words. */
  #formOf(code: Code): IdForm | undefined {
    if (this.#codeForm === undefined) return undefined;
    const served = this.#options.codeServedAs?.(code) ?? this.#codeForm;
    return served === 'words' ? undefined : served;
  }

  /** The call with stand-ins in place of the values of a check's own. */
  call(own: ServiceRequest): ServiceRequest {
    if (own.api === 'api') {
      const { exact, takesOnly, password } = this.#options;
      const keepsMethod = exact?.includes('method') === true;
      return plainResellerCall(own, { keepsMethod, takesOnly, password, text: (text) => this.text(text) });
    }
    const call = this.#home?.sent(own) ?? own;
    const path = call.path.replace(POINT_PATH, (all, before: string, id: string, after: string) => {
      const text = decoded(id);
      return text === undefined ? all : `${before}${encodeURIComponent(this.#id(text))}${after}`;
    });
    const { body } = call;
    if (body === undefined || !('json' in body) || !isJsonObject(body.json)) return { ...call, path };
    const named = decoded(POINT_PATH.exec(call.path)?.[2] ?? '');
    return { ...call, path, body: { ...body, json: this.#body(body.json, call.method === 'POST', named) } };
  }

  /**
   * Which fields that an update leaves out go out as well, with the values that they have: of a rule about omitted fields only the id of a
   * point. Undefined for none.
   */
  completion({ api, method, path }: ServiceRequest): Completion | undefined {
    const { only, exact } = this.#options;
    if (api !== 'v1' || method !== 'PUT' || only?.has(updateKindOf(POINT_PATH.test(path))) !== true) return undefined;
    return exact?.includes('omitted-fields') === true ? 'id' : 'all';
  }

  /** A text of the check's own as it goes out, for a later search by other means. */
  text(own: string): string {
    return this.#replacesText(own) ? this.#plain(own) : own;
  }

  /** Whether a text of a field has a stand-in, if it is not plain. */
  #replacesText(own: string): boolean {
    return this.#replaces('texts') || this.#isTooLong(own);
  }

  /** Whether only long texts are replaced, and this is one. */
  #isTooLong(own: string): boolean {
    const { only } = this.#options;
    return (
      (only?.has('long-texts') === true && !isShortText(own)) ||
      (only?.has('longer-texts') === true && !isOfUsualLength(own))
    );
  }

  #plain(own: string): string {
    return PLAIN_TEXT.test(own) || own === '' ? own : this.#replacements.word(own, own);
  }

  /** A reference of the check's own as it goes out. */
  reference(own: string): string {
    const form = this.#formOf('reference');
    if (own === '' || !(form !== undefined || this.#replaces('reference') || this.#isTooLong(own))) return own;
    if (form === undefined)
      return PLAIN_REFERENCE.test(own) ? own : this.#replacements.word(`reference ${own}`, own, 'p');
    return this.#replacements.code(form, `reference ${own}`, own);
  }

  /** The response with the check's own values in place of their stand-ins. */
  restore(response: ServiceResponse): ServiceResponse {
    const home = this.#home;
    if (this.#replacements.isEmpty && home === undefined) return response;
    if (response.json === undefined)
      return withText(response, this.#replacements.restoreText(response.text), undefined);
    const restored = this.#replacements.restoreJson(response.json);
    const json = home?.exchanged(restored) ?? restored;
    return withText(response, JSON.stringify(json), json);
  }

  /** `named`: the id of the point that the path names, as the check gave it. */
  #body(body: Json, isNew: boolean, named: string | undefined): Json {
    const sent: Json = { ...body };
    for (const name of WRAPPER_MEMBERS) {
      const fields = sent[name];
      if (isJsonObject(fields))
        sent[name] = name === 'delivery_method' ? this.#method(fields, isNew) : this.#point(fields, isNew, named);
    }
    if (Array.isArray(sent.pickup_points))
      sent.pickup_points = sent.pickup_points.map((point: unknown) =>
        isJsonObject(point) ? this.#point(point, true) : point,
      );
    Object.assign(sent, this.#countries(sent));
    if (!this.#replaces('contents')) return sent;
    if (typeof sent.snippet === 'string' && sent.snippet !== '') sent.snippet = this.#snippet(sent.snippet);
    if ('data' in sent) sent.data = this.#data(sent.data);
    return sent;
  }

  /** The countries of a resource in small letters, if the form demands that; they are compared without case. */
  #countries(fields: Json): Json {
    const { codes, only } = this.#options;
    if (!hasSmallCountries(codes) && only?.has('small-countries') !== true) return {};
    const small = (value: unknown): unknown =>
      typeof value === 'string' ? value.toLowerCase() : Array.isArray(value) ? value.map(small) : value;
    return Object.fromEntries(
      COUNTRY_FIELDS.filter((name) => name in fields).map((name) => [name, small(fields[name])]),
    );
  }

  #method(fields: Json, isCreated: boolean): Json {
    const sent: Json = { ...fields, ...this.#countries(fields) };
    const isNew = isCreated && this.#replaces('fields-of-methods');
    if ('title' in sent) sent.title = this.#title(this.#titleInForm(sent.title, isCreated));
    else if (isNew) sent.title = this.#replacements.filler('title');
    const fixed = this.#options.methodReference?.();
    if (fixed !== undefined && (sent.reference ?? null) === fixed) return this.#withAddress(sent, isNew);
    if (typeof sent.reference === 'string') sent.reference = this.reference(sent.reference);
    else if (isNew && !('reference' in sent)) sent.reference = this.#noReference();
    return this.#withAddress(sent, isNew);
  }

  #withAddress(sent: Json, isNew: boolean): Json {
    if (typeof sent.print_label_url === 'string') sent.print_label_url = this.#labelAddress(sent.print_label_url);
    if (!isNew || (sent.print_label_url ?? null) !== null) return sent;
    const { exact, fillsLabelAddress } = this.#options;
    if (exact?.includes('print_label_url') || exact?.includes('label-page')) return sent;
    if (fillsLabelAddress?.() !== false) sent.print_label_url = this.#noAddress();
    // A service that takes no address may take no null in its place, either.
    else delete sent.print_label_url;
    return sent;
  }

  #point(fields: Json, isCreated: boolean, named?: string): Json {
    const sent: Json = { ...fields };
    const isNew = isCreated && this.#replaces('fields-of-points');
    // A service may refuse a title that another point of the method has.
    const of = typeof sent.id === 'string' ? sent.id : named;
    if (typeof sent.id === 'string') sent.id = this.#id(sent.id);
    if ('title' in sent) sent.title = this.#title(this.#titleInForm(sent.title, isCreated), of);
    else if (isNew) sent.title = this.#replacements.filler('title', of);
    for (const name of TEXTS_OF_POINTS) {
      const value = sent[name];
      if (typeof value === 'string') sent[name] = name === 'address' ? this.#street(value) : this.text(value);
      else if (isNew && !(name in sent))
        sent[name] = name === 'address' ? this.#noStreet() : this.#replacements.filler(name);
    }
    if (isNew && !('country' in sent)) sent.country = this.#options.country;
    if (typeof sent.zip === 'string') sent.zip = this.#zip(sent.zip, sent.country);
    else if (isNew && !('zip' in sent))
      sent.zip = this.#replacements.postalCode('nothing zip', undefined, sent.country);
    if (isJsonObject(sent.attributes)) sent.attributes = this.#attributes(sent.attributes);
    else if (isNew && !('attributes' in sent)) sent.attributes = { own: this.#replacements.filler('attributes') };
    return { ...sent, ...this.#countries(sent) };
  }

  #zip(own: string, country: unknown): string {
    if (!this.#replaces('zip') && !this.#isTooLong(own)) return this.#replacements.keptZip(own, country);
    const plain = this.#plain(own);
    return own === '' || this.#options.exact?.includes('zip') ? plain : this.#replacements.zip(own, plain, country);
  }

  /**
   * A plain string in a new resource as an object, where that form is tried: on a website with several languages a string only changes
   * the default one. Updates keep their strings, which every website takes.
   */
  #titleInForm(title: unknown, isCreated: boolean): unknown {
    const { only, languages, defaultLanguage = languages[0] } = this.#options;
    if (only?.has('title-objects') !== true || !isCreated || typeof title !== 'string') return title;
    return languages.length > 1 && defaultLanguage !== undefined ? { [defaultLanguage]: title } : title;
  }

  /** The text of a title in one language, where the other languages that a service may require are not known: a string needs none. */
  #onlyText(title: Json): string | undefined {
    const texts = Object.values(title);
    const isUnknown = this.#replaces('languages') && this.#options.languages.length === 0;
    return isUnknown && texts.length === 1 && typeof texts[0] === 'string' ? texts[0] : undefined;
  }

  /** A text by language has every language of the website; a plain string stays one. `of`: the id of its point. */
  #title(title: unknown, of?: string): unknown {
    const plain = (text: string): string =>
      of === undefined || text === '' || !this.#replacesText(text)
        ? this.text(text)
        : this.#replacements.word(`title ${text} of ${of}`, text);
    if (typeof title === 'string') return plain(title);
    if (!isJsonObject(title)) return title;
    const alone = this.#onlyText(title);
    if (alone !== undefined) return plain(alone);
    const own = Object.entries(title).map(([code, text]) => [code, typeof text === 'string' ? plain(text) : text]);
    const missing = this.#replaces('languages') ? this.#options.languages.filter((code) => !(code in title)) : [];
    // A service may refuse a text that another method has in that language as well.
    const titled = of ?? JSON.stringify(title);
    return Object.fromEntries([...own, ...missing.map((code) => [code, this.#replacements.filler(code, titled)])]);
  }

  #attributes(own: Json): Json {
    if (!this.#replaces('attributes')) return own;
    const isPlain =
      Object.keys(own).length <= MAX_PLAIN_KEYS &&
      Object.entries(own).every(
        ([key, value]) => PLAIN_KEY.test(key) && typeof value === 'string' && this.#plain(value) === value,
      );
    return isPlain && Object.keys(own).length > 0
      ? own
      : { own: this.#replacements.word(`attributes ${JSON.stringify(own)}`, own) };
  }

  #data(own: unknown): unknown {
    if (typeof own === 'string') return this.#plain(own);
    return isJsonObject(own) ? { own: this.#replacements.word(`data ${JSON.stringify(own)}`, own) } : own;
  }

  #snippet(own: string): string {
    const name = this.#replacements.word(`snippet ${own}`, own);
    // What apps put into pages is mostly one script of theirs, and a service may take nothing else.
    const isScript = this.#codeForm !== undefined;
    const word = isScript ? `<script src="https://example.com/${name}.js"></script>` : `<p>${name}</p>`;
    this.#replacements.note(word, own);
    return word;
  }

  #id(own: string): string {
    const form = this.#formOf('id');
    if (this.#options.exact?.includes('id') || !(form !== undefined || this.#replaces('ids'))) return own;
    if (form !== undefined) return this.#replacements.code(form, `id ${own}`, own);
    return PLAIN_ID.test(own) ? own : this.#replacements.word(`id ${own}`, own);
  }

  #street(own: string): string {
    if (own === '' || PLAIN_STREET.test(own) || !this.#replacesText(own)) return own;
    const street = `${this.#replacements.word(`street ${own}`, own)} 7`;
    this.#replacements.note(street, own);
    return street;
  }

  #noStreet(): string {
    const street = `${this.#replacements.filler('address')} 7`;
    this.#replacements.note(street, undefined);
    return street;
  }

  #noReference(): string {
    const form = this.#formOf('reference');
    return form === undefined
      ? this.#replacements.word('nothing reference', undefined, 'p')
      : this.#replacements.code(form, 'nothing reference', undefined);
  }

  #labelAddress(own: string): string {
    const isKept = this.#options.exact?.includes('label-page') || !this.#replaces('label-address');
    if (PLAIN_ADDRESS.test(own) || own === '' || isKept) return own;
    const address = `https://example.com/${this.#replacements.word(`address ${own}`, own).toLowerCase()}`;
    this.#replacements.note(address, own);
    return address;
  }

  /** An address where the check sent none, because a service may demand one. Responses show `null` in its place. */
  #noAddress(): string {
    const address = 'https://example.com/label/of/none';
    this.#replacements.note(address, null);
    return address;
  }
}

/** A segment of a path as a text; undefined where it is not encoded correctly. */
export function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** The parts of a call that stand-ins may change, for comparison. */
const plainBody = ({ body, query }: ServiceRequest): unknown => [
  query.map(([name, value]) => [name, String(value)]),
  body === undefined
    ? null
    : 'json' in body
      ? body.json
      : 'form' in body
        ? body.form.map(([name, value]) => [name, String(value)])
        : null,
];

function withText(response: ServiceResponse, text: string, json: unknown): ServiceResponse {
  const { status, headers, bytes, jsonFault, contentType, durationMs, exchange, request } = response;
  const header = (name: string): string | undefined => response.header(name);
  return { status, headers, header, bytes, text, json, jsonFault, contentType, durationMs, exchange, request };
}
