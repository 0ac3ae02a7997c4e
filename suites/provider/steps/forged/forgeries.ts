/** Forged label requests, by what is wrong with them. The service's own keys and signatures are at hand for all of them. */
import { randomBytes } from 'node:crypto';
import { type Fields, SIGNATURE_FIELD, sign, tamperings } from '../../../../contracts/signing/index.ts';
import { DEBUG_SWITCHES } from '../../../../harness/integrator/debug-switches.ts';
import { PATH_SPELLINGS } from '../../../../harness/integrator/path-spellings.ts';
import { TRUSTED_HEADERS } from '../../../../harness/integrator/trusted-headers.ts';
import { FILTERED, KEYS_OF_NONE, withFullWidth, withInMiddle } from '../../../../harness/target/near-miss.ts';
import type { DeliveryContext } from '../../session.ts';
import { parameterOf } from '../callbacks.ts';
import { paceOf, printed } from '../user-flow.ts';
import { signedBy } from '../visit/open-form.ts';
import { type Forge, NEAR_MISSES, otherKeys, type Signature, UNSIGNED } from './bad-signatures.ts';
import { type Forgery, freshRequest } from './forgery.ts';
import { wayOf } from './index.ts';
import { nearlyRight, ofEveryKind } from './other-orders.ts';
import { wronglySigned } from './wrongly-signed.ts';

const withSignature = (fields: Fields, signature: Signature): Fields =>
  signature === undefined ? fields : [...fields, [SIGNATURE_FIELD, signature]];

async function forged(
  context: DeliveryContext,
  kinds: readonly (readonly [change: string, forge: Forge])[],
): Promise<Forgery[]> {
  const key = context.session.provider.apiKey.reveal();
  const all: Forgery[] = [];
  for (const [change, forge] of kinds) {
    const request = await freshRequest(context);
    all.push({ change, request, fields: withSignature(request.fields, forge(request.fields, key)) });
  }
  return all;
}

/** Some frameworks turn such a field into a list, on which comparisons of texts fail in their own ways. */
const LIST_FIELD = `${SIGNATURE_FIELD}[]`;

/** Label requests without a signature, each sent in another way. */
export async function unsigned(context: DeliveryContext): Promise<Forgery[]> {
  const request = await freshRequest(context);
  const change = 'no signature, from a browser that printed an authentic one before';
  const known = await withKnownId(
    context,
    'no signature and the label_request_id of a printed request',
    () => undefined,
  );
  const listed = await freshRequest(context);
  const inList = [...listed.fields, [LIST_FIELD, 'AAAA'] as const];
  const linked = await freshRequest(context);
  const fresh = async (sent: string): Promise<Pick<Forgery, 'change' | 'request' | 'fields'>> => {
    const one = await freshRequest(context);
    return { change: `no signature${sent}`, request: one, fields: one.fields };
  };
  return [
    ...(await forged(context, UNSIGNED)),
    { change: `${LIST_FIELD} instead of signature`, request: listed, fields: inList },
    known,
    // Where only what another page sends is verified.
    { ...(await fresh(' and no Referer')), isBare: true },
    // Where only what another site sends is verified, a program is enough.
    { ...(await fresh(', no Origin and no Referer')), isFromProgram: true },
    // Where what verifies is bound to POST, and the page to every method.
    { ...(await fresh(', by PUT')), isFromProgram: true, method: 'PUT' },
    { ...(await fresh(', by PATCH')), isFromProgram: true, method: 'PATCH' },
    {
      ...(await fresh(', and headers that say that the page itself sends it')),
      isFromProgram: true,
      headers: TRUSTED_HEADERS,
    },
    // Where only posted forms are verified, a link is enough.
    { change: 'no signature, as a link', request: linked, fields: [], query: linked.fields, byGet: true },
    // Where what verifies reads urlencoded forms only, another encoding is enough.
    { ...(await fresh(', as a multipart form')), encoding: 'multipart' },
    { ...(await fresh(', as JSON')), encoding: 'json' },
    { change, request, fields: request.fields, inSession: true },
    ...(await unsignedElsewhere(context)),
    ...(await unlessInBrowser(context, () => ofEveryKind(context, 'no signature', () => undefined))),
  ];
}

/** So many are tried where they cost no page of a browser. */
const unlessInBrowser = async (
  context: DeliveryContext,
  forge: () => Promise<readonly Forgery[]>,
): Promise<readonly Forgery[]> => ((await wayOf(context)) === 'browser' ? [] : forge());

/** Where only requests of the exact path are verified, and the page has others as well. A slow page is not given all of them. */
async function unsignedElsewhere(context: DeliveryContext): Promise<Forgery[]> {
  const { labelUrl } = context.session.provider;
  const all: Forgery[] = [];
  for (const [spelling, spell] of PATH_SPELLINGS.filter(([, spell]) => spell(labelUrl) !== labelUrl)) {
    const request = await freshRequest(context);
    all.push({ change: `no signature and ${spelling}`, request, fields: request.fields, spelling: spell });
  }
  return all;
}

/** A request that was printed, once more with another callback_url, which its signature does not cover. */
async function withKnownId(context: DeliveryContext, change: string, forge: Forge): Promise<Forgery> {
  const { session } = context;
  const used = await freshRequest(context);
  await printed(session, used, await paceOf(context));
  const request = await freshRequest(context);
  const callback = parameterOf(request.fields, 'callback_url') ?? '';
  const fields: Fields = used.fields.map(([name, value]) => [name, name === 'callback_url' ? callback : value]);
  const signature = forge(used.fields, session.provider.apiKey.reveal());
  return { change, request, fields: withSignature(fields, signature) };
}

export async function underOtherKeys(context: DeliveryContext): Promise<Forgery[]> {
  const known = await forged(context, otherKeys(context.session.provider.apiKey.reveal()));
  return [...known, ...(await unknownOwners(context)), ...(await switchedOff(context))];
}

/** Where verification is skipped in a mode for development, which the request can choose. */
async function switchedOff(context: DeliveryContext): Promise<Forgery[]> {
  const all: Forgery[] = [];
  for (const [switched, pairs] of DEBUG_SWITCHES) {
    const request = await freshRequest(context);
    const fields = withSignature([...request.fields, ...pairs], randomBytes(32).toString('base64'));
    all.push({ change: `the signature of something else and ${switched}`, request, fields, query: pairs });
  }
  return all;
}

/** What an integration for many shops looks the key up by; it may find none there, and verify with an empty text or a word for nothing. */
const OWNERS: readonly (readonly [what: string, names: readonly string[]])[] = [
  [
    'shop, seller and delivery method',
    ['website_alias', 'website_domain', 'seller_id', 'seller_vat', 'delivery_method_handle'],
  ],
  ['shop', ['website_alias', 'website_domain']],
  ['delivery method', ['delivery_method_handle']],
];

/** Requests of an owner that the page does not know, signed with the key of none. In a browser, where each costs a page, one alone. */
async function unknownOwners(context: DeliveryContext): Promise<Forgery[]> {
  const kinds = OWNERS.flatMap((owner) => KEYS_OF_NONE.map((key) => [owner, key] as const));
  const wanted = (await wayOf(context)) === 'browser' ? kinds.slice(0, 1) : kinds;
  const all: Forgery[] = [];
  for (const [[what, names], key] of wanted) {
    const request = await freshRequest(context);
    const fields = request.fields.map(([name, value]): Fields[number] =>
      names.includes(name) ? [name, randomBytes(6).toString('hex')] : [name, value],
    );
    const under = key === '' ? 'an empty key' : `the key ${JSON.stringify(key)}`;
    const change = `an unknown ${what} and a signature under ${under}`;
    all.push({ change, request, fields: withSignature(fields, sign(fields, key)) });
  }
  return all;
}

/** So many requests are made until one has a plus sign in its signature: in addresses it is written otherwise, or means a space. */
const MAX_REQUESTS = 40;

/** Signatures that are nearly right, and one that was right for another request. */
export async function nearMisses(context: DeliveryContext): Promise<Forgery[]> {
  const { session } = context;
  const key = session.provider.apiKey.reveal();
  const all: Forgery[] = [];
  for (const [change, forge] of NEAR_MISSES) {
    let request = await freshRequest(context);
    for (let more = 0; more < MAX_REQUESTS && !sign(request.fields, key).includes('+'); more += 1)
      request = await freshRequest(context);
    const right = sign(request.fields, key);
    all.push({ change, request, fields: withSignature(request.fields, forge(right, request.fields, key)) });
  }
  const used = await freshRequest(context);
  await printed(session, used, await paceOf(context));
  const request = await freshRequest(context);
  all.unshift({
    change: 'the signature of another request that was accepted',
    request,
    fields: withSignature(request.fields, sign(used.fields, key)),
  });
  const further = await unlessInBrowser(context, async () => [
    ...(await wronglySigned(context)),
    ...(await ofEveryKind(context, 'the first character of the signature changed', nearlyRight)),
  ]);
  return [...all, ...further];
}

/** What normalizes or filters all input may do so before it verifies: a text of the buyer is the same behind it. */
const NORMALIZED_FIELD = 'shipping_last_name';
const NORMALIZED: readonly (readonly [what: string, change: (value: string) => string])[] = [
  ['a letter in full width', withFullWidth],
  ...FILTERED.map(([added, what]) => [added, (value: string) => withInMiddle(value, what)] as const),
];

/** Fields that the contract names: a page that leaves others out of the message breaks another clause. */
const isAddedField = (change: string): boolean => change.startsWith('a field added');

/**
 * Every change of the signed bytes, the most telling first: one for each field, then the others. `withAdded`: the page is
 * known to count fields that it does not know.
 */
export async function tampered(context: DeliveryContext, withAdded: boolean): Promise<Forgery[]> {
  const { session } = context;
  const key = session.provider.apiKey.reveal();
  const model = tamperings(signedBy(session, (await freshRequest(context)).fields)).filter(
    ({ name }) => withAdded || !isAddedField(name),
  );
  const rounds = [
    'lengthened',
    'followed by a space',
    'case of a letter',
    'filled',
    'changed in one',
    'removed',
    'added',
  ];
  const rank = (name: string): number => {
    const found = rounds.findIndex((round) => name.includes(round));
    return found < 0 ? rounds.length : found;
  };
  // The first rounds alternate from field to field, so that the beginning of the list holds each field and each way.
  const ordered = model.map(({ name }) => name).sort((a, b) => rank(a) - rank(b));
  const names = [...firstForEachField(ordered), ...ordered].filter((name, at, list) => list.indexOf(name) === at);
  // Each prints an authentic order first.
  const all: Forgery[] = await Promise.all([
    usedSignature(context),
    otherCallbackInAddress(context),
    ownCallbackInAddress(context),
    ...(['before', 'after'] as const).map((place) => secondCallback(context, place)),
    withKnownId(context, 'the callback_url of another request after signing, once it was printed', sign),
  ]);
  for (const [what, change] of NORMALIZED) {
    const request = await freshRequest(context);
    const fields = signedBy(session, request.fields).map(([name, value]): Fields[number] =>
      name === NORMALIZED_FIELD ? [name, change(value)] : [name, value],
    );
    all.push({ change: `${what} in "${NORMALIZED_FIELD}" after signing`, request, fields });
  }
  for (const name of names) {
    const request = await freshRequest(context);
    const found = tamperings(signedBy(session, request.fields)).find((tampering) => tampering.name === name);
    if (found === undefined) continue;
    all.push({ change: `${name} after signing`, request, fields: found.fields });
  }
  return all;

  /** An accepted request with another id: its signature was right once. The report names the id it is for. */
  async function usedSignature(context: DeliveryContext): Promise<Forgery> {
    const request = await freshRequest(context);
    await printed(session, request, await paceOf(context));
    const other = await freshRequest(context);
    return {
      change: 'the label_request_id of another request after signing',
      request,
      fields: withSignature(
        request.fields.map(([name, value]) => [name, name === 'label_request_id' ? other.id : value]),
        sign(request.fields, key),
      ),
      isServedBy: ({ pairs }) => parameterOf(pairs, 'label_request_id') === other.id,
    };
  }
}

/** What a table of all parameters holds once, and a form and its address may both name. */
const CALLBACK_FIELDS = ['label_request_id', 'callback_url'];

/** A request that is authentic, posted to an address that names another callback: verified is the form, used may be the address. */
async function otherCallbackInAddress(context: DeliveryContext): Promise<Forgery> {
  const used = await freshRequest(context);
  const request = await freshRequest(context);
  return {
    change: 'the label_request_id and callback_url of another request in its address',
    request,
    fields: signedBy(context.session, used.fields),
    query: CALLBACK_FIELDS.map((name) => [name, parameterOf(request.fields, name) ?? '']),
    isMixed: true,
  };
}

/** The reverse: verified may be a table in which the address replaces the form, and used the form. */
async function ownCallbackInAddress(context: DeliveryContext): Promise<Forgery> {
  const used = await freshRequest(context);
  const request = await freshRequest(context);
  const valueIn = (fields: Fields, name: string): string => parameterOf(fields, name) ?? '';
  return {
    change: 'the label_request_id and callback_url of another request in its form, and its own in its address',
    request,
    fields: signedBy(context.session, used.fields).map(([name, value]) => [
      name,
      CALLBACK_FIELDS.includes(name) ? valueIn(request.fields, name) : value,
    ]),
    query: CALLBACK_FIELDS.map((name) => [name, valueIn(used.fields, name)]),
    isMixed: true,
  };
}

/**
 * An authentic request with the callback_url of another one beside its own: verified may be one of them and used the other, as where
 * fields are read from a table by name and from a list. Only a report to the unsigned one proves it.
 */
async function secondCallback(context: DeliveryContext, place: 'before' | 'after'): Promise<Forgery> {
  const used = await freshRequest(context);
  const request = await freshRequest(context);
  const other = ['callback_url', parameterOf(request.fields, 'callback_url') ?? ''] as const;
  const fields = signedBy(context.session, used.fields).flatMap((field) => {
    if (field[0] !== 'callback_url') return [field];
    return place === 'before' ? [other, field] : [field, other];
  });
  return { change: `a second callback_url, that of another request, ${place} its own`, request, fields, isMixed: true };
}

/** One change for each field; the ways of changing take turns. */
function firstForEachField(names: readonly string[]): string[] {
  const byField = new Map<string, string[]>();
  for (const name of names) {
    const field = /^"[^"]+"/.exec(name)?.[0] ?? '';
    if (field === '' || / and "/.test(name)) continue;
    byField.set(field, [...(byField.get(field) ?? []), name]);
  }
  return [...byField.values()].map((ways, at) => ways[at % Math.min(3, ways.length)] as string);
}
