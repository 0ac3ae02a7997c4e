import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inFront, PlainRequest, type PlainResponse, RawHeaders, responseOf } from './messages.ts';

const ORIGIN = 'http://127.0.0.1:4010';
const plainRequest = (target: string, method = 'GET', body = ''): PlainRequest =>
  new PlainRequest({
    method,
    target,
    headers: new RawHeaders(['X-Name', 'value']),
    body: Buffer.from(body),
    origin: ORIGIN,
  });

test('headers as Node lists them read as Headers would', () => {
  const list = ['Host', 'localhost', 'X-Twice', 'a', 'COOKIE', 'a=1', 'x-twice', 'b', 'Cookie', 'b=2', 'X-Empty', ''];
  const raw = new RawHeaders(list);
  const web = new Headers();
  for (let at = 0; at < list.length; at += 2) web.append(list[at]!, list[at + 1]!);
  for (const name of ['host', 'HOST', 'x-twice', 'cookie', 'x-empty', 'x-none']) {
    assert.equal(raw.get(name), web.get(name), name);
    assert.equal(raw.has(name), web.has(name), name);
  }
  assert.deepEqual([...raw], [...web]);
});

test('path and query are as sent, the address is normalized', () => {
  for (const [target, path, query, href] of [
    ['/a/../b?x=%zz&y=?#end', '/a/../b', 'x=%zz&y=?', `${ORIGIN}/b?x=%zz&y=?#end`],
    ['http://user:key@other.example?x', '/', 'x', 'http://other.example/?x'],
    ['//v1/store', '//v1/store', '', `${ORIGIN}//v1/store`],
  ] as const) {
    const request = plainRequest(target);
    assert.deepEqual([request.path, request.query, request.url.href], [path, query, href]);
  }
});

test('a handler in front that passes its request on keeps what was on the wire; another request has its own', async () => {
  const seen: PlainRequest[] = [];
  const serve = async (request: PlainRequest): Promise<PlainResponse> => {
    seen.push(request);
    return { status: 200, headers: { 'set-cookie': ['a=1', 'b=2'] }, body: 'ā' };
  };
  const request = plainRequest('/a/../b', 'POST', 'body');
  const same = await inFront(async (met, next) => {
    assert.equal(await met.text(), 'body');
    met.headers.set('x-name', 'other');
    return next(met);
  }, serve)(request);
  const other = await inFront(async (met, next) => next(new Request(met.url)), serve)(request);
  assert.deepEqual(
    seen.map(({ method, path, body, headers }) => [method, path, body.length, headers.get('x-name')]),
    [
      ['POST', '/a/../b', 4, 'other'],
      ['GET', '/b', 0, null],
    ],
  );
  for (const response of [same, other]) {
    const made = responseOf(response);
    assert.deepEqual([made.status, made.headers.getSetCookie(), await made.text()], [200, ['a=1', 'b=2'], 'ā']);
  }
});
