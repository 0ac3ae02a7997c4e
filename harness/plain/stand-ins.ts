/**
 * Plain stand-ins for the values that a check chose. The contract promises no lengths and no alphabets, and it does not say which
 * fields may be left out. Where a target refuses what a check sent, the check runs once more through these: each value of its own
 * goes out as a short word of ASCII letters, fields that were left out of a new object go out filled, and what comes back is
 * turned into the check's own values again. A stand-in that comes back changed is not recognised, so that the check still fails.
 */

import { isJsonObject } from '../../contracts/run/fault.ts';
import { type CallBody, fitsInQuery, type Pairs, type ServiceRequest } from '../target/client/request.ts';
import type { ServiceResponse } from '../target/client/types.ts';
import { Secret } from '../target/secrets/secret.ts';
import {
  COUNTRY_FIELDS,
  type CodeForm,
  digitsOf,
  hasSmallCountries,
  type IdForm,
  IN_FORM,
  idFormIn,
  lettersOf,
  POINT_PATH,
} from './codes.ts';
import type { HomeCountry } from './home-country.ts';
import { isPostalCodeOf, postalCodeOf } from './postal-codes.ts';

type Json = Record<string, unknown>;

export interface StandInOptions {
  /** Makes the words of two attempts differ. */
  readonly mark: string;
  /** Languages that a text must have where it is sent as an object. */
  readonly languages: readonly string[];
  /** A country that the target has; for new points without one. */
  readonly country: string;
  /** Set where countries go out as if the store were in that of the check. */
  readonly home?: HomeCountry | undefined;
  /** Fields that go out as the check chose them. */
  readonly exact?: readonly string[];
  /** Whether the target has served a method of HTTP on a path of Reseller: it may take one of GET and POST only. */
  readonly isServedBy?: (method: 'GET' | 'POST', path: string) => boolean;
  /** Whether a new method without a label page goes out with one; by default it does. */
  readonly fillsLabelAddress?: () => boolean;
  /** What new methods carry as their reference where the target refuses ours; `null` for none. */
  readonly methodReference?: () => string | null | undefined;
  /**
   * What ids of points and references of methods are made of, where words with small letters are refused; snippets are a script then.
   * Or that countries go out in small letters.
   */
  readonly codes?: CodeForm | undefined;
  /** The temporary password of the run, with a plainer one. */
  readonly password?: readonly [own: Secret, plain: Secret] | undefined;
}

/** Short, and of letters, digits, spaces and hyphens: no target has a reason to refuse it. */
export const PLAIN_TEXT = /^(?!(?:null|true|false|undefined)$)[A-Za-z0-9](?:[A-Za-z0-9 -]{0,14}[A-Za-z0-9])?$/;
const PLAIN_STREET = /^[A-Za-z]+(?: [A-Za-z]+)? \d{1,3}$/;
export const PLAIN_ID = /^[A-Za-z][A-Za-z0-9-]{0,15}$/;
/** References are often codes: small letters are taken where capitals are not, and capitals have a form of their own. */
const PLAIN_REFERENCE = /^[a-z](?:[a-z\d-]{0,14}[a-z\d])?$/;
const PLAIN_KEY = /^\w{1,20}$/;
const PLAIN_ADDRESS = /^https:\/\/[a-z0-9.]+\/[a-z0-9/]{0,30}$/;
const MAX_PLAIN_KEYS = 5;
const MAX_CODE_ATTEMPTS = 50;

const TEXTS_OF_POINTS = ['address', 'city'] as const;

/** The members of the contract that carry values of a check's own, by the member that holds them. */
export const WRAPPER_MEMBERS = ['delivery_method', 'pickup_point'] as const;

export class StandIns {
  readonly #options: StandInOptions;
  readonly #idForm: IdForm | undefined;
  readonly #words = new Map<string, string>();
  /** By stand-in: the value that it replaces; `undefined` for one that the check did not send. */
  readonly #values = new Map<string, unknown>();

  constructor(options: StandInOptions) {
    this.#options = options;
    this.#idForm = idFormIn(options.codes);
  }

  /** Whether a call carries anything that has a plainer stand-in. */
  changes(call: ServiceRequest): boolean {
    const sent = this.call(call);
    if (call.api === 'api' && !this.#options.exact?.includes('method')) return true;
    return sent.path !== call.path || JSON.stringify(plainBody(sent)) !== JSON.stringify(plainBody(call));
  }

  /** Whether the check runs as if the store were in the country that it writes. */
  get isElsewhere(): boolean {
    return this.#options.home !== undefined;
  }

  /** The call with stand-ins in place of the values of a check's own. */
  call(own: ServiceRequest): ServiceRequest {
    if (own.api === 'api') return this.#resellerCall(own);
    const call = this.#options.home?.sent(own) ?? own;
    const path = call.path.replace(POINT_PATH, (all, before: string, id: string, after: string) => {
      const text = decoded(id);
      return text === undefined ? all : `${before}${encodeURIComponent(this.#id(text))}${after}`;
    });
    const { body } = call;
    if (body === undefined || !('json' in body) || !isJsonObject(body.json)) return { ...call, path };
    const named = decoded(POINT_PATH.exec(call.path)?.[2] ?? '');
    return { ...call, path, body: { ...body, json: this.#body(body.json, call.method === 'POST', named) } };
  }

  /** A text of the check's own as it goes out, for what is looked for later by other means. */
  text(own: string): string {
    return PLAIN_TEXT.test(own) || own === '' ? own : this.#word(own, own);
  }

  /** A reference of the check's own as it goes out. */
  reference(own: string): string {
    if (own === '') return own;
    if (this.#idForm === undefined) return PLAIN_REFERENCE.test(own) ? own : this.#word(`reference ${own}`, own, 'p');
    return this.#code(`reference ${own}`, own);
  }

  /** The response with the check's own values in place of their stand-ins. */
  answer(response: ServiceResponse): ServiceResponse {
    const { home } = this.#options;
    if (this.#values.size === 0 && home === undefined) return response;
    if (response.json === undefined) return withText(response, this.#textBack(response.text), undefined);
    const back = this.#back(response.json);
    const json = home?.exchanged(back) ?? back;
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
    if (typeof sent.snippet === 'string' && sent.snippet !== '') sent.snippet = this.#snippet(sent.snippet);
    if ('data' in sent) sent.data = this.#data(sent.data);
    return sent;
  }

  /** Countries in small letters where that is asked for; they are compared without case. */
  #countries(fields: Json): Json {
    if (!hasSmallCountries(this.#options.codes)) return {};
    const small = (value: unknown): unknown =>
      typeof value === 'string' ? value.toLowerCase() : Array.isArray(value) ? value.map(small) : value;
    return Object.fromEntries(
      COUNTRY_FIELDS.filter((name) => name in fields).map((name) => [name, small(fields[name])]),
    );
  }

  #method(fields: Json, isNew: boolean): Json {
    const sent: Json = { ...fields, ...this.#countries(fields) };
    if ('title' in sent) sent.title = this.#title(sent.title);
    else if (isNew) sent.title = this.#filler('title');
    const fixed = this.#options.methodReference?.();
    if (fixed !== undefined && (sent.reference ?? null) === fixed) return this.#withAddress(sent, isNew);
    if (typeof sent.reference === 'string') sent.reference = this.reference(sent.reference);
    else if (isNew && !('reference' in sent)) sent.reference = this.#noReference();
    return this.#withAddress(sent, isNew);
  }

  #withAddress(sent: Json, isNew: boolean): Json {
    if (typeof sent.print_label_url === 'string') sent.print_label_url = this.#address(sent.print_label_url);
    else if (isNew && (sent.print_label_url ?? null) === null && this.#fillsLabelAddress)
      sent.print_label_url = this.#noAddress();
    return sent;
  }

  get #fillsLabelAddress(): boolean {
    const { exact, fillsLabelAddress } = this.#options;
    return !exact?.includes('print_label_url') && fillsLabelAddress?.() !== false;
  }

  #point(fields: Json, isNew: boolean, named?: string): Json {
    const sent: Json = { ...fields };
    // A service may refuse a title that another point of the method has.
    const of = typeof sent.id === 'string' ? sent.id : named;
    if (typeof sent.id === 'string') sent.id = this.#id(sent.id);
    if ('title' in sent) sent.title = this.#title(sent.title, of);
    else if (isNew) sent.title = this.#filler('title', of);
    for (const name of TEXTS_OF_POINTS) {
      const value = sent[name];
      if (typeof value === 'string') sent[name] = name === 'address' ? this.#street(value) : this.text(value);
      else if (isNew && !(name in sent)) sent[name] = name === 'address' ? this.#noStreet() : this.#filler(name);
    }
    if (isNew && !('country' in sent)) sent.country = this.#options.country;
    if (typeof sent.zip === 'string') sent.zip = this.#zip(sent.zip, sent.country);
    else if (isNew && !('zip' in sent)) sent.zip = this.#postalCode('nothing zip', undefined, sent.country);
    if (isJsonObject(sent.attributes)) sent.attributes = this.#attributes(sent.attributes);
    else if (isNew && !('attributes' in sent)) sent.attributes = { own: this.#filler('attributes') };
    return { ...sent, ...this.#countries(sent) };
  }

  /** A postal code of the country of the point, where it is known. */
  #zip(own: string, country: unknown): string {
    const plain = this.text(own);
    if (own === '' || this.#options.exact?.includes('zip')) return plain;
    const isOfAnother = plain === own && this.#values.has(own) && this.#values.get(own) !== own;
    // There are so few codes that one may have gone out for another zip before.
    if (isOfAnother || !isPostalCodeOf(country, plain)) return this.#postalCode(`zip ${own}`, own, country);
    // From now on it is itself, and nothing else.
    if (plain === own && !this.#values.has(own)) this.#values.set(own, own);
    return plain;
  }

  /** The same for the same key, and another one for each: there are few codes in a country. */
  #postalCode(key: string, own: unknown, country: unknown): string {
    const known = this.#words.get(`${String(country)} ${key}`);
    if (known !== undefined) return known;
    for (let attempt = 0; attempt < MAX_CODE_ATTEMPTS; attempt += 1) {
      const code = postalCodeOf(country, lettersOf(`${this.#options.mark} ${attempt} ${key}`));
      if (code === undefined || this.#values.has(code)) continue;
      this.#words.set(`${String(country)} ${key}`, code);
      this.#values.set(code, own);
      return code;
    }
    return this.#word(key, own);
  }

  /** A text by language has every language of the website; a plain string stays one. `of`: the id of its point. */
  #title(title: unknown, of?: string): unknown {
    const plain = (text: string): string =>
      of === undefined || text === '' ? this.text(text) : this.#word(`title ${text} of ${of}`, text);
    if (typeof title === 'string') return plain(title);
    if (!isJsonObject(title)) return title;
    const own = Object.entries(title).map(([code, text]) => [code, typeof text === 'string' ? plain(text) : text]);
    const missing = this.#options.languages.filter((code) => !(code in title));
    // A service may refuse a text that another method has in that language as well.
    const titled = of ?? JSON.stringify(title);
    return Object.fromEntries([...own, ...missing.map((code) => [code, this.#filler(code, titled)])]);
  }

  #attributes(own: Json): Json {
    const isPlain =
      Object.keys(own).length <= MAX_PLAIN_KEYS &&
      Object.entries(own).every(
        ([key, value]) => PLAIN_KEY.test(key) && typeof value === 'string' && this.text(value) === value,
      );
    return isPlain && Object.keys(own).length > 0 ? own : { own: this.#word(`attributes ${JSON.stringify(own)}`, own) };
  }

  #data(own: unknown): unknown {
    if (typeof own === 'string') return this.text(own);
    return isJsonObject(own) ? { own: this.#word(`data ${JSON.stringify(own)}`, own) } : own;
  }

  #snippet(own: string): string {
    const name = this.#word(`snippet ${own}`, own);
    // What apps put into pages is mostly one script of theirs, and a service may take nothing else.
    const isScript = this.#idForm !== undefined;
    const word = isScript ? `<script src="https://example.com/${name}.js"></script>` : `<p>${name}</p>`;
    this.#values.set(word, own);
    return word;
  }

  #id(own: string): string {
    if (this.#options.exact?.includes('id')) return own;
    if (this.#idForm !== undefined) return this.#code(`id ${own}`, own);
    return PLAIN_ID.test(own) ? own : this.#word(`id ${own}`, own);
  }

  /** An address is a street and the number of a house, without which a service may refuse it. */
  #street(own: string): string {
    if (own === '' || PLAIN_STREET.test(own)) return own;
    const street = `${this.#word(`street ${own}`, own)} 7`;
    this.#values.set(street, own);
    return street;
  }

  #noStreet(): string {
    const street = `${this.#filler('address')} 7`;
    this.#values.set(street, undefined);
    return street;
  }

  #noReference(): string {
    return this.#idForm === undefined
      ? this.#word('nothing reference', undefined, 'p')
      : this.#code('nothing reference', undefined);
  }

  /** A short code in the form that is asked for; one that has this form already stays. */
  #code(key: string, own: string | undefined): string {
    const form = IN_FORM[this.#idForm!];
    const known = own !== undefined && form.test(own) ? own : this.#words.get(key);
    if (known !== undefined) return known;
    for (let attempt = 0; ; attempt += 1) {
      const letters = lettersOf(`${this.#options.mark} ${attempt} ${key}`).toUpperCase();
      const code = this.#idForm === 'capitals' ? letters : digitsOf(letters);
      if (this.#values.has(code)) continue;
      this.#words.set(key, code);
      this.#values.set(code, own);
      return code;
    }
  }

  #address(own: string): string {
    if (PLAIN_ADDRESS.test(own) || own === '') return own;
    const address = `https://example.com/${this.#word(`address ${own}`, own).toLowerCase()}`;
    this.#values.set(address, own);
    return address;
  }

  /** An address where the check sent none: a service may want one. It reads back as none. */
  #noAddress(): string {
    const address = 'https://example.com/label/of/none';
    this.#values.set(address, null);
    return address;
  }

  /** A call by the other one of GET and POST where only that has been served, its parameters in the place for them. */
  #resellerCall(call: ServiceRequest): ServiceRequest {
    const { isServedBy = () => false, exact } = this.#options;
    const sent = this.#plainResellerCall(call);
    const other = sent.method === 'POST' ? 'GET' : 'POST';
    const isWhole = sent.method === 'GET' ? sent.body === undefined : sent.query.length === 0;
    const isOther = isServedBy(other, sent.path) && !isServedBy(sent.method === 'POST' ? 'POST' : 'GET', sent.path);
    if (exact?.includes('method') || !isWhole || !isOther) return sent;
    if (other === 'POST') return { ...sent, method: other, query: [], body: { form: sent.query } };
    if (sent.body === undefined || !('form' in sent.body)) return sent;
    const { body, ...others } = sent;
    if (!fitsInQuery(body.form)) return sent;
    return { ...others, method: other, query: body.form };
  }

  /** Settings of a reseller, and the temporary password. Names and tokens stay as they are. */
  #plainResellerCall(call: ServiceRequest): ServiceRequest {
    if (/^(password|authorize)\/$/.test(call.path)) return this.#withPassword(call);
    if (!/^settings\/set\/$/.test(call.path)) return call;
    const change = (pairs: Pairs): Pairs =>
      pairs.map(([name, value]) =>
        name === 'apiToken' || value instanceof Secret ? [name, value] : [name, this.#setting(name, value)],
      );
    const body: CallBody | undefined =
      call.body !== undefined && 'form' in call.body ? { form: change(call.body.form) } : call.body;
    return { ...call, query: change(call.query), ...(body === undefined ? {} : { body }) };
  }

  #withPassword(call: ServiceRequest): ServiceRequest {
    const [own, plain] = this.#options.password ?? [];
    if (own === undefined || plain === undefined) return call;
    const change = (pairs: Pairs): Pairs =>
      pairs.map(([name, value]) => [name, value instanceof Secret && value.reveal() === own.reveal() ? plain : value]);
    const body = call.body !== undefined && 'form' in call.body ? { form: change(call.body.form) } : call.body;
    return { ...call, query: change(call.query), ...(body === undefined ? {} : { body }) };
  }

  #setting(name: string, own: string): string {
    return /(Link|Website|Email|Phone|Country)$/.test(name) ? own : this.text(own);
  }

  /** A stand-in for something that the check did not send: it is taken out of responses again. */
  #filler(name: string, of = ''): string {
    return this.#word(`nothing ${name} ${of}`, undefined);
  }

  /** `first`: its first letter; the others are small. */
  #word(key: string, own: unknown, first = 'P'): string {
    const known = this.#words.get(key);
    if (known !== undefined) return known;
    const word = `${first}${lettersOf(`${this.#options.mark} ${this.#words.size} ${key}`)}`;
    this.#words.set(key, word);
    this.#values.set(word, own);
    return word;
  }

  #back(value: unknown): unknown {
    if (typeof value === 'string') return this.#values.has(value) ? this.#values.get(value) : value;
    if (Array.isArray(value)) return value.map((one) => this.#back(one));
    if (!isJsonObject(value)) return value;
    const names = Object.keys(value);
    // Replaces a whole object, or none.
    if (names.length === 1 && names[0] === 'own' && typeof value.own === 'string' && this.#values.has(value.own))
      return this.#values.get(value.own);
    const members = names.map((name) => [name, this.#back(value[name])] as const);
    return Object.fromEntries(members.filter(([, member]) => member !== undefined));
  }

  #textBack(text: string): string {
    let back = text;
    // A whole snippet before the word in it.
    for (const [word, own] of [...this.#values].sort(([a], [b]) => b.length - a.length))
      if (typeof own === 'string' && back.includes(word)) back = back.replaceAll(word, () => own);
    return back;
  }
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** What of a body stand-ins may change. */
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
