/** Targets whose bodies are not JSON, or are JSON that breaks most parsers. What JSON allows must not be reported as a violation. */
import {
  type Expected,
  failed,
  type HostileTarget,
  LISTING,
  PASS,
  READING,
  undecided,
  WALK_CHECK,
  WRITING,
} from '../hostile-target.ts';
import { bytesOf, type ReferenceResponse } from '../reference-service.ts';

/** Rewrites the body of each JSON response. */
const rewritten = (
  change: (text: string) => string | Buffer,
  headers: readonly (readonly [string, string])[] = [],
): HostileTarget['answers'] => {
  return async (socket, asked, context) => {
    const answered: ReferenceResponse = await context.respondCorrectly(asked);
    const changed = change(answered.body.toString('utf8'));
    socket.write(bytesOf(answered, { headers, body: typeof changed === 'string' ? Buffer.from(changed) : changed }));
  };
};

/** Adds a field at the start of each response. Additional fields are legal. */
const added = (field: string): HostileTarget['answers'] =>
  rewritten((text) => text.replace(/^\{(?=(.))/, (_brace, next: string) => `{${field}${next === '}' ? '' : ','}`));

const nested = (levels: number): string => `"x-deep":${'['.repeat(levels)}${']'.repeat(levels)}`;
const ALL_PASS = { [READING]: PASS, [WRITING]: PASS, [WALK_CHECK]: PASS };
const NO_LIST = failed(/the list must be an array named delivery_methods/);
/** Legal or nearly legal, and likely to break some clients. */
const blemish = (words: RegExp): Expected => ({ verdict: 'warn', attribution: 'target', reason: words });
const LABELS = 'envelope.delivery.reading.content-type';
const RESELLER_LABELS = 'envelope.reseller.json-content-type';
const TOO_DEEP = undecided('target', /nested deeper than 500 levels/);
const UNUSABLE = undecided(
  'target',
  /a request can't contain|handle-unique is broken|handle-string is broken|list-contains-own is broken/,
);
const MEGABYTES = 1024 * 1024;

/** Replaces every title. */
const titled = (text: string): HostileTarget['answers'] =>
  rewritten((body) => body.replaceAll('"Courier"', () => JSON.stringify(text)));

/** Handles by name. */
const HANDLES: Readonly<Record<string, string>> = {
  parent: '..',
  here: '.',
  empty: '',
  'half-a-character': '\ud800',
  endless: 'x'.repeat(100_000),
};

export const bodies: readonly HostileTarget[] = [
  {
    id: 'invalid-utf-8',
    does: 'sends bytes that are not UTF-8',
    answers: rewritten((text) => Buffer.from(text.replace('{', '{"x":"\u00ff",'), 'latin1')),
    expects: { [LISTING]: NO_LIST },
  },
  {
    id: 'latin-1',
    does: 'sends ISO-8859-1 and declares it',
    answers: rewritten(
      (text) => Buffer.from(text.replace('{', '{"x":"caf\u00e9",'), 'latin1'),
      [['content-type', 'application/json; charset=iso-8859-1']],
    ),
    expects: { [LISTING]: NO_LIST },
  },
  {
    id: 'wrong-charset',
    does: 'sends UTF-8 and declares an unknown charset',
    answers: rewritten((text) => text, [['content-type', 'application/json; charset="x-unheard-of"']]),
    expects: ALL_PASS,
  },
  {
    id: 'utf-16',
    does: 'sends UTF-16',
    answers: rewritten(
      (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
      [['content-type', 'application/json; charset=utf-16']],
    ),
    expects: { [LISTING]: NO_LIST },
  },
  {
    id: 'byte-order-mark',
    does: 'sends a byte order mark first',
    answers: rewritten((text) => `\ufeff${text}`),
    expects: {
      ...ALL_PASS,
      [LABELS]: blemish(/begins with a byte order mark/),
      [RESELLER_LABELS]: blemish(/begins with a byte order mark/),
    },
  },
  {
    id: 'blank-around',
    does: 'sends whitespace around its JSON',
    answers: rewritten((text) => `\r\n\t ${text}\n\n`),
    expects: ALL_PASS,
  },
  {
    id: 'key-twice',
    does: 'sends a duplicate key',
    answers: added('"x":1,"x":2'),
    expects: { ...ALL_PASS, [LABELS]: blemish(/key "x" twice/), [RESELLER_LABELS]: blemish(/key "x" twice/) },
  },
  {
    id: 'proto-keys',
    does: 'sends keys that have a special meaning in JavaScript',
    answers: added(
      '"__proto__":{"error":true,"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1,"hasOwnProperty":1,"then":1,"toJSON":1,"length":-1',
    ),
    expects: { ...ALL_PASS, [LABELS]: PASS },
    afterwards: () => {
      if (Reflect.has({}, 'polluted')) throw new Error('The prototype of all objects was changed.');
    },
  },
  { id: 'nested-400', does: 'nests 400 levels deep', answers: added(nested(400)), expects: ALL_PASS },
  {
    id: 'nested-10000',
    does: 'nests 10,000 levels deep',
    answers: added(nested(10_000)),
    expects: { [READING]: TOO_DEEP, [WRITING]: TOO_DEEP },
  },
  {
    id: 'nested-a-million',
    does: 'opens a million arrays and closes none',
    answers: rewritten(() => '['.repeat(1_000_000)),
    expects: { [READING]: TOO_DEEP },
  },
  {
    id: 'nan',
    does: 'sends NaN',
    answers: added('"x":NaN'),
    expects: { [LISTING]: NO_LIST },
  },
  {
    id: 'numbers-without-end',
    does: 'sends numbers of 400 digits and exponents out of range',
    answers: added(`"x":${'9'.repeat(400)},"y":-0.${'3'.repeat(400)},"z":1e400,"n":-0`),
    expects: ALL_PASS,
  },
  {
    id: 'lone-surrogates',
    does: 'sends lone surrogates',
    answers: added('"x":"\\ud800","\\udfff":"a\\udc00b","z":"\\u0000"'),
    expects: ALL_PASS,
  },
  {
    id: 'controls-in-texts',
    does: 'sends raw line feeds inside strings',
    answers: added('"x":"a\nb"'),
    expects: { [LISTING]: NO_LIST },
  },
  {
    id: 'title-of-megabytes',
    does: 'sends a title of one megabyte',
    answers: titled('x'.repeat(MEGABYTES)),
    expects: { [READING]: PASS, [WALK_CHECK]: PASS },
  },
  {
    id: 'thousands-of-keys',
    does: 'sends 20,000 additional fields',
    answers: added(Array.from({ length: 20_000 }, (_, n) => `"k${n}":${n}`).join(',')),
    expects: { [READING]: PASS, [WALK_CHECK]: PASS },
  },
  {
    id: 'thousands-of-items',
    does: 'lists 20,000 objects that are not methods',
    answers: rewritten((text) =>
      text.replace('"delivery_methods":[', () => `"delivery_methods":[${'{},'.repeat(20_000)}`),
    ),
    expects: {
      [WALK_CHECK]: undecided('target', /handle-string is broken/),
      'delivery.method.handle-string': failed(/must have its handle/),
    },
  },
  {
    id: 'echoes-secrets',
    does: 'puts the received key into headers and bodies in several encodings',
    answers: async (socket, asked, context) => {
      const answered = await context.respondCorrectly(asked);
      const key = asked.headers.get('authorization') ?? asked.body.toString('latin1');
      const spelt = [...key].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
      const field = `"x":${JSON.stringify([key, Buffer.from(key).toString('base64'), encodeURIComponent(key)])},"y":"${spelt}"`;
      const body = answered.body
        .toString()
        .replace(/^\{(?=(.))/, (_all, next: string) => `{${field}${next === '}' ? '' : ','}`);
      socket.write(bytesOf(answered, { headers: [['X-Echo', key]], body: Buffer.from(body) }));
    },
    expects: ALL_PASS,
  },
  {
    id: 'only-escaped-quotes',
    does: 'sends two megabytes of escaped quotes, on which a naive search never ends',
    answers: rewritten(() => `{"delivery_methods":"${'\\"'.repeat(MEGABYTES)}`),
    expects: { [LISTING]: NO_LIST },
  },
  ...Object.entries(HANDLES).map(
    ([name, handle]): HostileTarget => ({
      id: `handle-${name}`,
      does: 'gives every method the same handle, which does not fit into a URL',
      answers: rewritten((text) => text.replaceAll(/"handle":"[^"]+"/g, () => `"handle":${JSON.stringify(handle)}`)),
      // A precondition found the violation: the first check that meets it reports it, and the others wait.
      expects: {
        [WRITING]: UNUSABLE,
        'delivery.method.read-by-handle': UNUSABLE,
        'delivery.point.read-by-id': UNUSABLE,
        ...(handle === ''
          ? { 'delivery.method.read-by-handle': failed(/list-contains-own is broken/) }
          : { [WRITING]: failed(/handle-unique is broken.*two creates returned the same handle/) }),
      },
      orphans: 'any',
    }),
  ),
];
