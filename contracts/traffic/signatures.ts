/** Signatures and hashes in recorded traffic: judged where the keys are known and no signed value was taken out. */
import { HASH_PARAMETER, pairsOf, queryOf, verifyInstallHash } from '../install-hash/index.ts';
import { type Fields, isAuthentic, SIGNATURE_FIELD, verifySignature } from '../signing/index.ts';
import type { RuleContext } from './call.ts';
import { isTemplate } from './reading/given-values.ts';
import { apiKeysOf, appSecretsOf, isHidden, isRedacted, restored } from './reading/redacted.ts';

const WITHOUT_KEYS = 'the keys are not known: give them with --keys';
const TAKEN_OUT = 'some of its values were redacted in the recording';
const GUESSED = 'some of its values were redacted in the recording, and with the values from --keys it is not correct';

export interface SignedText {
  /** For sentences: `the label request`. */
  readonly what: string;
  readonly fields: Fields;
  readonly n: number;
  /** What is signed, in words. */
  readonly expects: string;
}

/** Says whether the `signature` among the fields is right under any of the known keys. A missing one is not judged here. */
export function judgeSignature(scene: RuleContext, clause: string, signed: SignedText): void {
  const { notes, facts } = scene;
  const { fields, n, what, expects } = signed;
  if (!fields.some(([name, value]) => name === SIGNATURE_FIELD && value !== '')) return;
  const keys = apiKeysOf(facts.keys);
  if (keys.length === 0) {
    notes.undecided(clause, n, `the signature of ${what} can't be judged: ${WITHOUT_KEYS}`);
    return;
  }
  const known = restoredFields(fields, facts.keys);
  if (known.incomplete) {
    notes.undecided(clause, n, `the signature of ${what} can't be judged: ${TAKEN_OUT}`);
    return;
  }
  if (keys.some(([, key]) => isAuthentic(known.fields, key))) {
    notes.keeps(clause, n);
    return;
  }
  if (known.guessed) {
    notes.undecided(clause, n, `the signature of ${what} can't be judged: ${GUESSED}`);
    return;
  }
  notes.breaks(clause, n, {
    message: `the signature of ${what} is not correct with any of the keys ${names(keys)}${diagnosed(known.fields, keys)}`,
    pointer: `field ${SIGNATURE_FIELD}`,
    expected: `base64 of HMAC-SHA-256 ${expects}, with the API key`,
    actual: fields.find(([name]) => name === SIGNATURE_FIELD)?.[1] ?? '',
  });
}

/** True when the fields are signed right under one of the keys; undefined when that can't be known. */
export function isSigned(scene: RuleContext, fields: Fields): boolean | undefined {
  const { keys } = scene.facts;
  const known = restoredFields(fields, keys);
  if (Object.keys(keys).length === 0 || known.incomplete) return undefined;
  const right = apiKeysOf(keys).some(([, key]) => isAuthentic(known.fields, key));
  return right || !known.guessed ? right : undefined;
}

/**
 * True when the `hash` in an address is right under one of the secrets, false when nothing known explains it; undefined when that
 * can't be said: of two hashes an app may take either.
 */
export function isHashed({ facts }: RuleContext, address: string): boolean | undefined {
  const keys = appSecretsOf(facts.keys);
  const pairs = pairsOf(queryOf(address));
  const hashes = pairs.filter(([name]) => name === HASH_PARAMETER);
  if (keys.length === 0 || hashes.length !== 1 || isRedacted(decodedPlaces(address)) || pairs.some(isTakenOut))
    return undefined;
  const responses = keys.map(([, secret]) => verifyInstallHash(address, secret));
  if (responses.some(({ authentic }) => authentic)) return true;
  return responses.every((response) => !response.authentic && response.mistake === 'unexplained') ? false : undefined;
}

/** Says whether the `hash` in an address is right under any of the known secrets. A missing one is not judged here. */
export function judgeHash(scene: RuleContext, clause: string, what: string, address: string, n: number): void {
  const { notes, facts } = scene;
  const keys = appSecretsOf(facts.keys);
  if (keys.length === 0) {
    notes.undecided(clause, n, `the hash of ${what} can't be judged: ${WITHOUT_KEYS}`);
    return;
  }
  const encoded = Object.fromEntries(
    Object.entries(facts.keys).map(([name, value]) => [name, encodeURIComponent(value.toWellFormed())]),
  );
  const known = restored(decodedPlaces(address), encoded);
  if (known.incomplete || pairsOf(queryOf(address)).some(isTakenOut)) {
    notes.undecided(clause, n, `the hash of ${what} can't be judged: ${TAKEN_OUT}`);
    return;
  }
  const responses = keys.map(([name, secret]) => ({ name, response: verifyInstallHash(known.text, secret) }));
  if (responses.some(({ response }) => response.authentic)) {
    notes.keeps(clause, n);
    return;
  }
  if (known.guessed) {
    notes.undecided(clause, n, `the hash of ${what} can't be judged: ${GUESSED}`);
    return;
  }
  const findings = responses.flatMap(({ name, response }) =>
    response.authentic || response.mistake === 'unexplained'
      ? []
      : [`: with ${name}, ${lowerFirst(response.diagnosis)}`],
  );
  notes.breaks(clause, n, {
    message: `the hash of ${what} is not correct with any of the secrets ${names(keys)}${findings[0] ?? ''}`,
    pointer: 'query hash',
    expected: 'lower-case hexadecimal HMAC-SHA-256 over the rest of the query, with the secret of the app',
  });
}

/** Nothing of the value is left: it was hidden, or a tool put the name of its variable in its place. */
const isTakenOut = ([, value]: readonly [string, string]): boolean => isHidden(value) || isTemplate(value);

function restoredFields(fields: Fields, keys: Readonly<Record<string, string>>) {
  let [guessed, incomplete] = [false, false];
  const full = fields.map(([name, value]) => {
    const one = restored(value, keys);
    guessed ||= one.guessed;
    incomplete ||= one.incomplete;
    return [name, one.text] as const;
  });
  return { fields: full, guessed, incomplete };
}

/** The likeliest mistake under one of the keys. */
function diagnosed(fields: Fields, keys: ReadonlyArray<readonly [string, string]>): string {
  for (const [name, key] of keys) {
    const response = verifySignature(fields, key);
    if (!response.authentic && response.mistake !== 'unexplained')
      return `: with ${name}, ${lowerFirst(response.diagnosis)}`;
  }
  return '';
}

/** A name in place of a secret may be percent-encoded in an address. */
const decodedPlaces = (address: string): string => address.replace(/%24(?=[A-Z][A-Z0-9_]*)/g, '$');

const names = (keys: ReadonlyArray<readonly [string, string]>): string => keys.map(([name]) => name).join(', ');
const lowerFirst = (text: string): string => (text.charAt(0).toLowerCase() + text.slice(1)).replace(/\.$/, '');
