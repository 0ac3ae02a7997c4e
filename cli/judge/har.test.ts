import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { exchangeOfEntry } from './har-entry.ts';
import { type HarEntryText, HarError, readHarEntries } from './har-scan.ts';

async function* inPieces(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (let i = 0; at < bytes.length; i += 1) {
    const size = Math.max(1, sizes[i % sizes.length] ?? bytes.length);
    yield Buffer.from(bytes.subarray(at, at + size));
    at += size;
  }
}

async function scanned(
  text: string | Buffer,
  sizes: readonly number[] = [1 << 20],
  largest?: number,
): Promise<HarEntryText[]> {
  const entries: HarEntryText[] = [];
  await readHarEntries(inPieces(Buffer.from(text), sizes), (entry) => void entries.push(entry), largest);
  return entries;
}

const har = (entries: readonly unknown[]): object => ({
  log: { version: '1.2', creator: { name: 'entries' }, entries },
});
const refused = (text: string | Buffer, message: RegExp) =>
  assert.rejects(scanned(text), (error) => error instanceof HarError && message.test(error.message));

describe('the entries of a HAR', () => {
  test('are found wherever the chunks of the file end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.dictionary(fc.string(), fc.jsonValue())),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        fc.constantFrom(0, 1, '\t'),
        async (entries, sizes, indent) => {
          const found = await scanned(JSON.stringify(har(entries), null, indent), sizes);
          assert.deepEqual(
            found.map(({ text }) => JSON.parse(text ?? '')),
            JSON.parse(JSON.stringify(entries)),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  test('are those of log.entries and no others', async () => {
    const text =
      '{"entries":[{"a":1}],"log":{"pages":[{"entries":[{"a":2}]}],"x":{"entries":[{"a":3}]},"entries":[{"a":"4]}\\\\"}],"y":"]"},"z":{"log":{"entries":[{"a":5}]}}}';
    for (const sizes of [[1], [2, 3], [1000]])
      assert.deepEqual(
        (await scanned(text, sizes)).map((entry) => JSON.parse(entry.text ?? '').a),
        ['4]}\\'],
      );
  });

  test('know their place', async () => {
    const [first, second] = await scanned('{"log": {"entries": [\n {"a": 1},\n\n  {"b": 2} ] } }\n');
    assert.deepEqual([first?.number, first?.offset, first?.line], [1, 23, 2]);
    assert.deepEqual([second?.number, second?.offset, second?.line, second?.text], [2, 36, 4, '{"b": 2}']);
  });

  test('that are too large are reported and skipped', async () => {
    const entries = await scanned(JSON.stringify(har([{ a: 1 }, { b: 'x'.repeat(100) }, { c: 1 }])), [7], 50);
    assert.deepEqual(
      entries.map(({ text }) => text),
      ['{"a":1}', undefined, '{"c":1}'],
    );
  });

  test('may follow a UTF-8 byte order mark, and be empty', async () => {
    assert.equal((await scanned(`\uFEFF${JSON.stringify(har([{}]))}`)).length, 1);
    assert.equal((await scanned(JSON.stringify(har([])))).length, 0);
  });
});

describe('a file that is not a HAR file is refused in a sentence with its place', () => {
  const whole = JSON.stringify(har([{ a: 'x' }, { b: [1] }]));
  const cases: ReadonlyArray<readonly [what: string, text: string | Buffer, message: RegExp]> = [
    ['empty', '', /^is empty$/],
    ['text', 'hello', /^is not a HAR file: it is not JSON$/],
    ['a list', '[]', /not a JSON object/],
    ['another object', '{"a":{}}', /no array "entries"/],
    ['entries that are no array', '{"log":{"entries":{}}}', /"entries" at byte 18 \(line 1\) is not an array/],
    ['an entry that is a number', '{"log":{"entries":[7]}}', /an entry at byte 19 \(line 1\)/],
    ['an entry that is a text', '{"log":{"entries":["x"]}}', /an entry at byte 19/],
    ['two objects', `${whole}\n${whole}`, /besides the JSON object at byte/],
    ['UTF-16', Buffer.from(`\uFEFF${whole}`, 'utf16le'), /UTF-16/],
    ['gzip', Buffer.from([0x1f, 0x8b, 8, 0]), /compressed/],
    ['a zip', 'PK\u0003\u0004', /is a zip/],
  ];
  for (const [what, text, message] of cases) test(what, () => refused(text, message));

  test('cut off anywhere', async () => {
    for (let end = 1; end < whole.length; end += 1)
      await refused(whole.slice(0, end), /ends in the middle at byte \d+ \(line 1\)/);
  });
});

describe('an entry as an exchange', () => {
  const entry = (request: object, response?: object, more: object = {}): string =>
    JSON.stringify({
      startedDateTime: '2026-01-02T03:04:05.000+02:00',
      time: 12.5,
      request: { method: 'GET', url: 'https://a.test/', headers: [], ...request },
      ...(response === undefined ? {} : { response: { status: 200, headers: [], content: {}, ...response } }),
      ...more,
    });
  const read = (text: string) => exchangeOfEntry({ number: 3, offset: 10, line: 1, bytes: text.length, text });

  test('has its number, its time in UTC and its headers in order', () => {
    const headers = [
      { name: ':authority', value: 'a.test' },
      { name: 'B', value: '2' },
      { name: 'a', value: '1' },
    ];
    const exchange = read(entry({ headers }, { content: { size: 2, text: '{}' } }));
    assert.deepEqual([exchange.n, exchange.at, exchange.durationMs], [3, '2026-01-02T01:04:05.000Z', 12.5]);
    assert.deepEqual(exchange.request.headers, [
      ['B', '2'],
      ['a', '1'],
    ]);
    assert.deepEqual(exchange.response?.body, { text: '{}' });
  });

  test('marks what the browser left out as missing, not as empty', () => {
    assert.deepEqual(read(entry({}, { content: { size: 9 } })).response?.body, { truncated: 1 });
    assert.deepEqual(read(entry({}, { content: { size: 9, text: '{"a"' } })).response?.body, {
      text: '{"a"',
      truncated: 5,
    });
    assert.deepEqual(read(entry({}, {})).response?.body, { truncated: 1 });
    assert.deepEqual(read(entry({ bodySize: 5 })).request.body, { truncated: 1 });
    const file = { mimeType: 'multipart/form-data; boundary=x', params: [{ name: 'a', fileName: 'b' }] };
    assert.deepEqual(read(entry({ postData: file })).request.body, { truncated: 1 });
    assert.deepEqual(read(entry({ method: 'POST', bodySize: -1 })).request.body, { truncated: 1 });
  });

  test('takes a JSON text for whole whatever size the recorder counted', () => {
    for (const size of [35, 2]) {
      const content = { size, compression: -20, text: '{"error":false}\n' };
      assert.deepEqual(read(entry({}, { content })).response?.body, { text: '{"error":false}\n' });
    }
    assert.deepEqual(read(entry({}, { content: { size: 9, text: '{"a":{}' } })).response?.body, {
      text: '{"a":{}',
      truncated: 2,
    });
  });

  test('has no body if none was recorded', () => {
    assert.equal(read(entry({}, { status: 204 })).response?.body, undefined);
    assert.equal(read(entry({}, { status: 302 })).response?.body, undefined);
    assert.equal(read(entry({}, { content: { size: 0, text: '' } })).response?.body, undefined);
    assert.equal(
      read(entry({}, { headers: [{ name: 'Content-Length', value: '0' }], content: { size: 0 } })).response?.body,
      undefined,
    );
    assert.equal(read(entry({})).response, undefined);
    assert.equal(read(entry({}, { status: 0 })).response, undefined);
  });

  test('reads bodies in base64 and forms without their text', () => {
    assert.deepEqual(read(entry({}, { content: { size: 2, text: 'e30=', encoding: 'base64' } })).response?.body, {
      base64: 'e30=',
    });
    assert.deepEqual(read(entry({}, { content: { text: '{"a":1}', encoding: 'base64' } })).response?.body, {
      truncated: 1,
    });
    const postData = { mimeType: 'application/x-www-form-urlencoded', params: [{ name: 'a b', value: '1&2' }] };
    assert.deepEqual(read(entry({ postData })).request.body, { text: 'a+b=1%262' });
    assert.deepEqual(read(entry({ postData })).request.headers, [['content-type', postData.mimeType]]);
    const withValue = (value: string) =>
      read(entry({ postData: { ...postData, params: [{ name: 'a', value }] } })).request.body;
    // Encoded by the recorder, or a text with a percent sign in it: the values are not known.
    assert.deepEqual(withValue('50%25'), { truncated: 1 });
    assert.deepEqual(withValue('50+1'), { truncated: 1 });
    assert.deepEqual(withValue('50%25 of it'), { text: 'a=50%2525+of+it' });
  });

  test('unpacks bodies that were kept as they were sent', () => {
    const text = '{"error":false}';
    const body = (coding: string, bytes: Uint8Array | string, encoding: string | undefined = 'base64') => {
      const content = {
        size: text.length,
        text: encoding ? Buffer.from(bytes as Uint8Array).toString('base64') : bytes,
        encoding,
      };
      return read(entry({}, { headers: [{ name: 'Content-Encoding', value: coding }], content })).response?.body;
    };
    const whole = { base64: Buffer.from(text).toString('base64') };
    assert.deepEqual(body('gzip', gzipSync(text)), whole);
    assert.deepEqual(body('br', brotliCompressSync(text)), whole);
    // The header stays where a recorder has unpacked the body.
    assert.deepEqual(body('gzip', text), whole);
    assert.deepEqual(body('br', text), whole);
    assert.deepEqual(body('gzip', gzipSync(text).subarray(0, 12)), { truncated: 1 });
    assert.deepEqual(body('gzip', gzipSync(text).toString('latin1'), ''), { truncated: 1 });
    assert.deepEqual(body('zstd', zstdCompressSync(text)), whole);
    assert.deepEqual(body('deflate', deflateSync(text)), whole);
    assert.deepEqual(body('deflate', deflateRawSync(text)), whole);
    assert.deepEqual(body('identity', text), whole);
    assert.deepEqual(body('dcb', zstdCompressSync(text)), { truncated: 1 });
    assert.deepEqual(body('br', brotliCompressSync(text).toString('utf8'), ''), { truncated: 1 });
    assert.deepEqual(body('zstd', '{"a":"\ufffd"}', ''), { text: '{"a":"\ufffd"}' });
  });

  test('takes the content type of a JSON text from beside it', () => {
    const postData = { mimeType: 'application/json', text: '{}' };
    const headersWith = (headers: object[]) => read(entry({ method: 'POST', headers, postData })).request.headers;
    assert.deepEqual(headersWith([{ name: 'A', value: '1' }]), [
      ['A', '1'],
      ['content-type', 'application/json'],
    ]);
    assert.deepEqual(headersWith([]), []);
  });

  test('takes the length of a form to tell values as sent from decoded ones', () => {
    const postData = { mimeType: 'application/x-www-form-urlencoded', params: [{ name: 'a', value: '50%25' }] };
    assert.deepEqual(read(entry({ postData, bodySize: 7 })).request.body, { text: 'a=50%25' });
    assert.deepEqual(read(entry({ postData, bodySize: 9 })).request.body, { text: 'a=50%2525' });
    assert.deepEqual(read(entry({ postData, bodySize: 8 })).request.body, { truncated: 1 });
    const spaced = { ...postData, params: [{ name: 'a', value: 'Acme+1' }] };
    assert.deepEqual(read(entry({ postData: spaced, bodySize: 8 })).request.body, { text: 'a=Acme+1' });
    assert.deepEqual(read(entry({ postData: spaced, bodySize: 10 })).request.body, { text: 'a=Acme%2B1' });
  });

  test('is read as exporters of several kinds write it', () => {
    const content = { size: '2', text: 'e30=', encoding: 'Base64' };
    assert.deepEqual(read(entry({}, { status: '404', content })).response, {
      status: 404,
      headers: [],
      body: { base64: 'e30=' },
    });
    const postData = { mimeType: 'application/json', text: 'e30=', _encoding: 'base64' };
    assert.deepEqual(read(entry({ postData })).request.body, { base64: 'e30=' });
    // A body that is null was not recorded, whatever its size says.
    assert.deepEqual(read(entry({}, { content: { size: 0, text: null } })).response?.body, { truncated: 1 });
    const startOf = (startedDateTime: unknown) => {
      const { at, durationMs } = read(entry({}, undefined, { startedDateTime }));
      return [at, durationMs];
    };
    for (const time of [1_767_323_045_000, '1767323045.0', '2026-01-02T03:04:05.000Z'])
      assert.deepEqual(startOf(time), ['2026-01-02T03:04:05.000Z', 12.5], String(time));
    // It began within that second: what came in the rest of it may have been under way as well.
    for (const time of [1_767_323_045, '2026-01-02T03:04:05Z', '2026-01-02T05:04:05+02:00'])
      assert.deepEqual(startOf(time), ['2026-01-02T03:04:05.000Z', 1011.5], String(time));
    for (const time of ['yesterday', 1e300, null])
      assert.deepEqual(startOf(time), ['1970-01-01T00:00:00.000Z', 0], String(time));
  });

  test('says where a redirect leads, also without its headers', () => {
    const redirect = { status: 302, redirectURL: '/next' };
    const headers = [{ name: 'Location', value: '/there' }];
    assert.deepEqual(read(entry({}, redirect)).response?.headers, [['location', '/next']]);
    assert.deepEqual(read(entry({}, { ...redirect, headers })).response?.headers, [['Location', '/there']]);
  });

  test('takes the content type from where the browser wrote it', () => {
    const headers = [{ name: 'x', value: '' }];
    const content = { size: 2, mimeType: 'application/json', text: '{}' };
    assert.deepEqual(read(entry({}, { headers, content })).response?.headers, [
      ['x', ''],
      ['content-type', 'application/json'],
    ]);
    assert.deepEqual(read(entry({}, { content })).response?.headers, []);
  });

  test('that is not one is refused with its place, and without a piece of it', () => {
    assert.throws(
      () => read('{"a": secret}'),
      (error) =>
        error instanceof HarError &&
        /entry 3 at byte 10 \(line 1\) is not JSON/.test(error.message) &&
        !error.message.includes('secret'),
    );
    assert.throws(() => read('{}'), /entry 3 .* has no request/);
    assert.throws(() => read('{"request":{}}'), /has no method and url/);
  });

  test('survives values of any kind', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (request, response) => {
        const text = JSON.stringify({ request: { method: 'GET', url: 'x', ...(request as object) }, response });
        try {
          read(text);
        } catch (error) {
          assert.ok(error instanceof HarError);
        }
      }),
    );
  });
});
