/** Every vector: its shape, and that our rules agree with it. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { judgeError, judgeSuccess } from '../envelopes/index.ts';
import {
  afterUpdate,
  type MultilanguageText,
  maySend,
  readsBack,
  type WebsiteLanguages,
} from '../fields/multilanguage.ts';
import * as scalars from '../fields/scalars.ts';
import {
  type EncodingName,
  encodings,
  hashedQuery,
  installHash,
  queryOf,
  verifyInstallHash,
} from '../install-hash/index.ts';
import { isReverse, judgeWalk, resolveNext, type WalkOptions, type WalkPage } from '../lists/pagination.ts';
import { judgePortions, portionsOf, type ReceivedPortion } from '../lists/portions.ts';
import { judgeAppManifest, judgeDeliveryManifest, judgeIcon, type ManifestFault } from '../manifests/index.ts';
import type { Fault } from '../run/fault.ts';
import { sign, signedMessage, verifySignature } from '../signing/index.ts';
import { each, folder, type HashVector, read, type SigningVector, type Vector } from './vectors.fixture.ts';

const files = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'vectors.schema.json');

test('every file of vectors keeps the schema, and no name is there twice', () => {
  const validate = new Ajv2020({ allErrors: false, strict: false }).compile(read('vectors.schema.json'));
  assert.deepEqual(files.sort(), [
    'envelopes.json',
    'install-hash.json',
    'manifests.json',
    'multilanguage.json',
    'pagination.json',
    'portions.json',
    'scalars.json',
    'signing.json',
  ]);
  for (const name of files) {
    const file = read(name);
    const valid: boolean = validate(file);
    assert.ok(valid, `${name}: ${JSON.stringify(validate.errors?.[0])}`);
    assert.equal(`${file.rule}.json`, name);
    for (const half of ['accept', 'reject']) {
      const names: string[] = file[half].map((vector: Vector) => `${vector.operation} ${vector.name}`);
      assert.equal(new Set(names).size, names.length, `${name} has a name twice in ${half}`);
    }
  }
});

test('the schema refuses a rejected vector without its mistake, and unknown members', () => {
  const validate = new Ajv2020({ strict: false }).compile(read('vectors.schema.json'));
  const file = read('signing.json');
  const { mistake: _, ...nameless } = file.reject[0];
  assert.ok(!validate({ ...file, reject: [nameless] }));
  assert.ok(!validate({ ...file, accept: [{ ...file.accept[0], extra: 1 }] }));
});

each<SigningVector>('signing', 'accept', ({ key, fields, message, signature }) => {
  assert.equal(signedMessage(fields), message);
  assert.equal(sign(fields, key), signature);
  assert.deepEqual(verifySignature(fields, key), { authentic: true });
});

each<SigningVector>('signing', 'reject', ({ key, fields, mistake }) => {
  const response = verifySignature(fields, key);
  assert.ok(!response.authentic);
  assert.equal(response.mistake, mistake, response.diagnosis);
});

each<HashVector>('install-hash', 'accept', ({ secret, address, encoding, query, hash }) => {
  const response = verifyInstallHash(address, secret);
  assert.ok(response.authentic);
  assert.equal(response.encoding, encoding);
  if (!(encoding in encodings)) return;
  assert.equal(hashedQuery(queryOf(address), encoding as EncodingName), query);
  assert.equal(installHash(queryOf(address), secret, encoding as EncodingName), hash);
});

each<HashVector>('install-hash', 'reject', ({ secret, address, mistake }) => {
  const response = verifyInstallHash(address, secret);
  assert.ok(!response.authentic);
  assert.equal(response.mistake, mistake, response.diagnosis);
});

interface Text {
  readonly website: WebsiteLanguages;
  readonly text: unknown;
  readonly previous?: MultilanguageText;
  readonly sent: MultilanguageText;
  readonly read: unknown;
  readonly mustRead: Record<string, string>;
  readonly free: string[];
  readonly somewhere?: string;
}

each<Text>(
  'multilanguage',
  'accept',
  ({ operation, website, text, previous, sent, read, mustRead, free, somewhere }) => {
    if (operation === 'send') assert.equal(maySend(text, website).allowed, true);
    else if (operation === 'update') {
      const expected = { mustRead, free, ...(somewhere === undefined ? {} : { somewhere }) };
      assert.deepEqual(afterUpdate(previous, sent, website), expected);
    } else assert.deepEqual(readsBack(sent, read, website, previous), []);
  },
);

each<Text>('multilanguage', 'reject', ({ operation, mistake, website, text, previous, sent, read }) => {
  if (operation === 'send') {
    const { allowed, reason } = maySend(text, website);
    assert.equal(allowed, false);
    assert.match(reason, mistake === 'unknown-language' ? /has no language/ : /a string/);
  } else {
    const faults = readsBack(sent, read, website, previous);
    assert.equal(faults[0]?.rule, mistake);
  }
});

interface Paged {
  readonly base: string;
  readonly current: string;
  readonly link: unknown;
  readonly url: string;
  readonly otherwise?: string;
  readonly pages: WalkPage[];
  readonly options: WalkOptions;
  readonly forwards: string[];
  readonly backwards: string[];
}

each<Paged>('pagination', 'accept', (vector) => {
  if (vector.operation === 'follow') {
    const { base, current, url, otherwise } = vector;
    assert.deepEqual(resolveNext(vector.link, { base, current }), {
      url,
      ...(otherwise === undefined ? {} : { otherwise }),
    });
  } else if (vector.operation === 'walk') assert.deepEqual(judgeWalk(vector.pages, vector.options), []);
  else assert.equal(isReverse(vector.forwards, vector.backwards), true);
});

each<Paged>('pagination', 'reject', (vector) => {
  if (vector.operation === 'follow') {
    const response = resolveNext(vector.link, vector);
    assert.ok('refused' in response, JSON.stringify(response));
    assert.equal(response.refused, vector.mistake);
  } else if (vector.operation === 'walk') {
    assert.deepEqual(
      judgeWalk(vector.pages, vector.options).map(({ rule }) => rule),
      [vector.mistake],
    );
  } else assert.equal(isReverse(vector.forwards, vector.backwards), false);
});

interface PortionVector {
  readonly ids?: string[];
  readonly count?: number;
  readonly is_initialization?: unknown;
  readonly is_finalization?: unknown;
}

interface Portioned {
  readonly count: number;
  readonly size: number;
  readonly portions: PortionVector[];
  readonly level: string;
  readonly pointer: string;
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1));
const received = ({ ids, count, ...flags }: PortionVector): ReceivedPortion => ({
  ...flags,
  items: (ids ?? numbered(count ?? 0)).map((id) => ({ id })),
});

each<Portioned>('portions', 'accept', ({ operation, count, size, portions }) => {
  if (operation === 'sequence') assert.deepEqual(judgePortions(portions.map(received)), []);
  else {
    const items = numbered(count);
    const made = portionsOf(items, size);
    assert.deepEqual(
      made.map(({ items: of, ...flags }) => ({ count: of.length, ...flags })),
      portions,
    );
    assert.deepEqual(
      made.flatMap((portion) => portion.items),
      items,
    );
  }
});

each<Portioned>('portions', 'reject', ({ portions, mistake, level, pointer }) => {
  const [first] = judgePortions(portions.map(received));
  assert.deepEqual([first?.rule, first?.level, first?.pointer], [mistake, level, pointer]);
});

interface ResponseVector {
  readonly interface: 'v1' | 'api';
  readonly expects: 'success' | 'error';
  readonly status: number;
  readonly contentType: string | null;
  readonly body: unknown;
  readonly noBody?: boolean;
  readonly envelope?: 'required' | 'optional';
  readonly level: string;
  readonly pointer: string;
}

function judgeResponse(vector: ResponseVector): Fault[] {
  const body = vector.noBody ? undefined : vector.body;
  const options = vector.envelope === undefined ? {} : { envelope: vector.envelope };
  return vector.expects === 'success'
    ? judgeSuccess(vector.interface, vector.status, vector.contentType, body, options)
    : judgeError(vector.interface, vector.status, vector.contentType, body);
}

each<ResponseVector>('envelopes', 'accept', (vector) => assert.deepEqual(judgeResponse(vector), []));

each<ResponseVector>('envelopes', 'reject', (vector) => {
  const found = judgeResponse(vector).map(({ rule, level, pointer }) => ({ rule, level, pointer }));
  assert.deepEqual(found, [{ rule: vector.mistake, level: vector.level, pointer: vector.pointer }]);
});

interface Change {
  readonly pointer: string;
  readonly value?: unknown;
  readonly remove?: true;
}

interface Manifest {
  readonly manifest?: 'app' | 'delivery';
  readonly changes: Change[];
  readonly icon?: string;
  readonly level: string;
  readonly pointer: string;
}

/** Applies the changes of a vector; enough of JSON Patch for them. */
function changed(base: unknown, changes: readonly Change[]): unknown {
  let whole = structuredClone(base);
  for (const { pointer, value, remove } of changes) {
    const steps = pointer
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = steps.pop();
    if (last === undefined) whole = value;
    else {
      const owner = steps.reduce((at, step) => at[step] as Record<string, unknown>, whole as Record<string, unknown>);
      if (remove) delete owner[last];
      else owner[last] = value;
    }
  }
  return whole;
}

function judgeManifest(vector: Manifest, file: Record<string, unknown>): ReadonlyArray<ManifestFault | Fault> {
  if (vector.icon !== undefined) return judgeIcon(Buffer.from(vector.icon, 'base64'));
  const kind = vector.manifest!;
  const value = changed((file.bases as Record<string, unknown>)[kind], vector.changes);
  return kind === 'app' ? judgeAppManifest(value) : judgeDeliveryManifest(value);
}

each<Manifest>('manifests', 'accept', (vector, file) => assert.deepEqual(judgeManifest(vector, file), []));

each<Manifest>('manifests', 'reject', (vector, file) => {
  const faults = judgeManifest(vector, file);
  const named = faults.filter(({ rule, pointer }) => rule === vector.mistake && pointer === vector.pointer);
  assert.equal(named.length, 1, JSON.stringify(faults));
  assert.equal(named[0]?.level, vector.level);
  const others = faults.filter((fault) => fault !== named[0] && fault.level === 'MUST');
  assert.deepEqual(others, []);
});

const FORMATS: Record<string, (value: unknown) => boolean> = {
  timestamp: scalars.isTimestamp,
  'country-lower': (value) => scalars.isCountryCode(value, 'lower'),
  'country-upper': (value) => scalars.isCountryCode(value, 'upper'),
  'country-any': (value) => scalars.isCountryCode(value),
  currency: scalars.isCurrencyCode,
  decimal: scalars.isDecimalText,
  money: scalars.isMoneyText,
  language: scalars.isLanguageCode,
  'language-2': scalars.isTwoLetterLanguageCode,
  grams: scalars.isWholeGrams,
  'app-version': scalars.isAppVersion,
};

each<{ format: string; value: unknown }>('scalars', 'accept', ({ format, value }) =>
  assert.ok(FORMATS[format]!(value)),
);
each<{ format: string; value: unknown }>('scalars', 'reject', ({ format, value }) =>
  assert.ok(!FORMATS[format]!(value)),
);
