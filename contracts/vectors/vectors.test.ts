/** Every vector: its shape, that our rules agree with it, and that other languages compute the same digests and queries. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
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
  pairsOf,
  queryOf,
  verifyInstallHash,
} from '../install-hash/index.ts';
import { isReverse, judgeWalk, resolveNext, type WalkOptions, type WalkPage } from '../lists/pagination.ts';
import { judgePortions, portionsOf, type ReceivedPortion } from '../lists/portions.ts';
import { judgeAppManifest, judgeDeliveryManifest, judgeIcon, type ManifestFault } from '../manifests/index.ts';
import type { Fault } from '../run/fault.ts';
import { type Fields, sign, signedMessage, verifySignature } from '../signing/index.ts';

const folder = new URL('./', import.meta.url);
// biome-ignore lint/suspicious/noExplicitAny: the first test says what the files hold
const read = (name: string): any => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
const files = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'vectors.schema.json');

interface Vector {
  readonly name: string;
  readonly operation?: string;
  readonly mistake?: string;
  readonly [member: string]: unknown;
}

/** Runs `body` as one test per vector of one half of a file. */
function each<V>(
  rule: string,
  half: 'accept' | 'reject',
  body: (vector: V & Vector, file: Record<string, unknown>) => void,
): void {
  const file = read(`${rule}.json`) as Record<string, unknown> & Record<'accept' | 'reject', Array<V & Vector>>;
  test(`${rule}: ${half}`, async (t) => {
    for (const vector of file[half]) await t.test([vector.operation, vector.name].join(' '), () => body(vector, file));
  });
}

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

interface Signed {
  readonly key: string;
  readonly fields: Fields;
  readonly message: string;
  readonly signature: string;
}

each<Signed>('signing', 'accept', ({ key, fields, message, signature }) => {
  assert.equal(signedMessage(fields), message);
  assert.equal(sign(fields, key), signature);
  assert.deepEqual(verifySignature(fields, key), { authentic: true });
});

each<Signed>('signing', 'reject', ({ key, fields, mistake }) => {
  const answer = verifySignature(fields, key);
  assert.ok(!answer.authentic);
  assert.equal(answer.mistake, mistake, answer.diagnosis);
});

interface Hashed {
  readonly secret: string;
  readonly address: string;
  readonly encoding: string;
  readonly query: string;
  readonly hash: string;
}

each<Hashed>('install-hash', 'accept', ({ secret, address, encoding, query, hash }) => {
  const answer = verifyInstallHash(address, secret);
  assert.ok(answer.authentic);
  assert.equal(answer.encoding, encoding);
  if (!(encoding in encodings)) return;
  assert.equal(hashedQuery(queryOf(address), encoding as EncodingName), query);
  assert.equal(installHash(queryOf(address), secret, encoding as EncodingName), hash);
});

each<Hashed>('install-hash', 'reject', ({ secret, address, mistake }) => {
  const answer = verifyInstallHash(address, secret);
  assert.ok(!answer.authentic);
  assert.equal(answer.mistake, mistake, answer.diagnosis);
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
    const answer = resolveNext(vector.link, vector);
    assert.ok('refused' in answer, JSON.stringify(answer));
    assert.equal(answer.refused, vector.mistake);
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

interface ServiceResponse {
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

function judgeAnswer(vector: ServiceResponse): Fault[] {
  const body = vector.noBody ? undefined : vector.body;
  const options = vector.envelope === undefined ? {} : { envelope: vector.envelope };
  return vector.expects === 'success'
    ? judgeSuccess(vector.interface, vector.status, vector.contentType, body, options)
    : judgeError(vector.interface, vector.status, vector.contentType, body);
}

each<ServiceResponse>('envelopes', 'accept', (vector) => assert.deepEqual(judgeAnswer(vector), []));

each<ServiceResponse>('envelopes', 'reject', (vector) => {
  const found = judgeAnswer(vector).map(({ rule, level, pointer }) => ({ rule, level, pointer }));
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

// --- The same digests and queries, computed by other languages ---------------------------------------------------------

interface Digest {
  readonly key: string;
  readonly message: string;
}

const digests = (): { inputs: Digest[]; base64: string[] } => {
  const signed = (read('signing.json').accept as Signed[]).map(({ key, message, signature }) => ({
    key,
    message,
    base64: signature,
  }));
  const hashed = (read('install-hash.json').accept as Hashed[]).map(({ secret, query, hash }) => ({
    key: secret,
    message: query,
    base64: Buffer.from(hash, 'hex').toString('base64'),
  }));
  const all = [...signed, ...hashed];
  return { inputs: all.map(({ key, message }) => ({ key, message })), base64: all.map(({ base64 }) => base64) };
};

/** Runs a program of another language with JSON on its standard input; undefined where it is not installed. */
function other(command: string, args: readonly string[], input: string): string | undefined {
  const done = spawnSync(command, args, { input, encoding: 'utf8' });
  if (done.error) return undefined;
  assert.equal(done.status, 0, done.stderr);
  return done.stdout;
}

const PHP = `$in = json_decode(stream_get_contents(STDIN), true);
echo json_encode([
  'digests' => array_map(fn($d) => base64_encode(hash_hmac('sha256', $d['message'], $d['key'], true)), $in['digests']),
  'php' => array_map(fn($p) => implode('&', array_map(fn($x) => http_build_query([$x[0] => $x[1]]), $p)), $in['pairs']),
  'rfc3986' => array_map(fn($p) => implode('&', array_map(fn($x) => http_build_query([$x[0] => $x[1]], '', '&', PHP_QUERY_RFC3986), $p)), $in['pairs']),
]);`;

const PYTHON = `import base64, hmac, json, sys
from urllib.parse import quote, urlencode
data = json.loads(sys.stdin.buffer.read().decode('utf-8'))
pairs = [[tuple(x) for x in p] for p in data['pairs']]
print(json.dumps({
  'digests': [base64.b64encode(hmac.new(d['key'].encode(), d['message'].encode(), 'sha256').digest()).decode() for d in data['digests']],
  'python': [urlencode(p) for p in pairs],
  'rfc3986': [urlencode(p, quote_via=quote, safe='') for p in pairs],
}))`;

/** Every character that any encoding treats in its own way, and the queries of the vectors. */
const pairLists = () => [
  [['a', ' ~*!\'()-._/:?@&=+%"<>[]{}|\\^`\n,;$#']],
  [['ņ é', '📦 \u0000\u007f\u0080']],
  ...(read('install-hash.json').accept as Hashed[]).map(({ address }) => pairsOf(queryOf(address))),
];

for (const [command, args, styles] of [
  ['php', ['-r', PHP], ['php', 'rfc3986']],
  ['python3', ['-c', PYTHON], ['python', 'rfc3986']],
] as const) {
  test(`${command} computes the same digests and queries`, (t) => {
    const { inputs, base64 } = digests();
    const pairs = pairLists();
    const output = other(command, args, JSON.stringify({ digests: inputs, pairs }));
    if (output === undefined) return t.skip(`${command} is not installed`);
    const result = JSON.parse(output);
    assert.deepEqual(result.digests, base64);
    for (const style of styles) {
      const ours = pairs.map((list) => encodings[style](list as Fields));
      assert.deepEqual(result[style], ours, style);
    }
  });
}

test('openssl computes the same digests', (t) => {
  const { inputs, base64 } = digests();
  for (const [i, { key, message }] of inputs.entries()) {
    const args = ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${Buffer.from(key).toString('hex')}`, '-r'];
    const output = other('openssl', args, message);
    if (output === undefined) return t.skip('openssl is not installed');
    assert.equal(Buffer.from(output.split(' ')[0]!, 'hex').toString('base64'), base64[i]);
  }
});

test('the encoders of JavaScript write the same queries', () => {
  for (const list of pairLists() as Fields[]) {
    assert.equal(encodings.javascript(list), new URLSearchParams(list.map(([n, v]) => [n, v])).toString());
    const component = list.map(([n, v]) => `${encodeURIComponent(n)}=${encodeURIComponent(v)}`).join('&');
    assert.equal(encodings.encodeURIComponent(list), component);
  }
});
