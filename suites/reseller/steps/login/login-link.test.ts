import assert from 'node:assert/strict';
import { test } from 'node:test';
import { responseOf } from '../../../../harness/target/response/response.ts';
import {
  type Arrival,
  arrivalOf,
  forgedLink,
  isForScripts,
  judgeFirstUse,
  judgeSecondUse,
  nextLink,
  tokenIn,
} from './login-link.ts';

const EDITOR = 'Editor of Quiet Harbour: pages, design, shop, settings, sign out. Signed in at 10:15:01';
const GONE = 'This link was used already. Ask for another one.';

function arrival(status: number, url: string, text: string, cookies: readonly string[] = []): Arrival {
  const request = { method: 'GET', url };
  const response = responseOf({ status, headers: [], bytes: Buffer.from(text), durationMs: 0, exchange: 0, request });
  return arrivalOf({ response, url, hops: 1, cookies });
}

const editor = (time = '10:15:01') =>
  arrival(200, 'https://s.test/editor/', `<p>${EDITOR.replace('10:15:01', time)}</p>`, ['sid']);

test('a page behind a cookie, refused the second time', () => {
  const bogus = arrival(404, 'https://s.test/login/x', 'There is no such link.');
  assert.equal(judgeFirstUse(editor(), bogus), 'in');
  assert.equal(judgeSecondUse(arrival(410, 'https://s.test/login/x', GONE), editor(), bogus), 'out');
  assert.equal(judgeSecondUse(editor('10:15:09'), editor(), bogus), 'in');
});

test('a service that always returns status 200 and differs in the address', () => {
  const bogus = arrival(200, 'https://s.test/sign-in?error=1', '<input type="password"> Sign in');
  const used = arrival(200, 'https://s.test/sign-in?reason=used', 'Sign in. The link was used.');
  assert.equal(judgeFirstUse(editor(), bogus), 'in');
  assert.equal(judgeSecondUse(used, editor(), bogus), 'out');
  assert.equal(judgeFirstUse(bogus, bogus), 'out', 'an unused link that leads to the sign-in page');
});

test('a service that never redirects and differs in the text', () => {
  const at = 'https://s.test/login/0123456789abcdefABCDEF';
  const frame = 'Quiet Harbour';
  const first = arrival(200, at, `<h1>${frame}</h1><p>${EDITOR}</p><script>var token = 1;</script>`);
  const bogus = arrival(200, at, `<h1>${frame}</h1><p>No such link.</p>`);
  assert.equal(judgeFirstUse(first, bogus), 'in');
  assert.equal(judgeSecondUse(arrival(200, at, `<h1>${frame}</h1><p>${GONE}</p>`), first, bogus), 'out');
  assert.equal(judgeSecondUse(first, first, bogus), 'in');
});

test('a page that scripts fill is unclear, unless a cookie decides', () => {
  const frame = (cookies: readonly string[]) => arrival(200, 'https://s.test/app', '<div id=app></div>', cookies);
  assert.equal(judgeFirstUse(frame([]), frame([])), 'unclear');
  assert.equal(judgeFirstUse(frame(['sid']), frame([])), 'in');
  assert.equal(judgeSecondUse(frame([]), frame(['sid']), frame([])), 'out');
  assert.equal(judgeSecondUse(frame(['sid']), frame(['sid']), frame([])), 'in');
});

test('a page with a button or a script at the address of the link may sign the visitor in', () => {
  const at = 'https://s.test/login/0123456789abcdefABCDEF';
  const bogus = arrival(404, at, 'There is no such link.');
  const button = '<p>Go on</p><form method="post"><button>Sign in</button></form>';
  for (const page of [button, '<div id="app"></div><script>location.replace("/in?x=1")</script>']) {
    assert.equal(judgeFirstUse(arrival(200, at, page), bogus), 'unclear', page);
    assert.equal(judgeFirstUse(arrival(200, at, page, ['sid']), bogus), 'in', page);
  }
});

test('a page that is not behind the login yet stays unclear beside a cookie that a gateway gives to every visitor', () => {
  const at = 'https://s.test/once/0123456789abcdefABCDEF';
  const bogus = arrival(200, 'https://s.test/sign-in', '<input type="password"> Sign in', ['lb']);
  const menu = '<a href="/">Quiet Harbour</a>';
  for (const page of [
    `<form method="post" action="${at}"><button>Continue</button></form>`,
    `${menu}<form method="post"><input type="hidden" name="csrf" value="1"><button>Continue</button></form>`,
    `${menu}<form action="" method=post><button>Continue</button></form>`,
    `${menu}<p><a class="button" href="/once/confirm?t=0123456789abcdefABCDEF">Continue</a></p>`,
    '<script>location.replace("/once/confirm?t=0123456789abcdefABCDEF")</script>',
  ])
    assert.equal(judgeFirstUse(arrival(200, at, page, ['lb']), bogus), 'unclear', page);
  const behind = `${menu}<p>${EDITOR}</p><form method="post" action="/sign-out"><button>Sign out</button></form>`;
  assert.equal(judgeFirstUse(arrival(200, at, behind, ['lb']), bogus), 'in');
});

test('a cookie for every visitor proves nothing', () => {
  const first = arrival(200, 'https://s.test/editor/', EDITOR, ['visitor']);
  const bogus = arrival(200, 'https://s.test/', 'Welcome to our service', ['visitor']);
  assert.equal(judgeSecondUse(arrival(200, 'https://s.test/expired', GONE, ['visitor']), first, bogus), 'out');
});

test('a different page with the cookie of signed-in visitors is unclear', () => {
  const bogus = arrival(404, 'https://s.test/login/x', 'There is no such link.');
  assert.equal(
    judgeSecondUse(arrival(200, 'https://s.test/tour/', 'Take a tour', ['sid']), editor(), bogus),
    'unclear',
  );
});

test('a session in the address does not distinguish two visits', () => {
  const at = (session: string) => arrival(200, `https://s.test/e/${session}/home?s=${session}`, EDITOR);
  const bogus = arrival(403, 'https://s.test/e/', 'No');
  assert.equal(judgeSecondUse(at('a1b2c3d4e5f6a7b8c9'), at('99887766554433221100'), bogus), 'in');
});

test('the next link works if it leads to the same place as the first one, and does not if it is refused', () => {
  const bogus = arrival(200, 'https://s.test/', 'Welcome to our service');
  assert.equal(nextLink(editor('10:16:00'), editor(), bogus), 'in');
  assert.equal(nextLink(arrival(410, 'https://s.test/l', GONE), editor(), bogus), 'out');
  assert.equal(nextLink(bogus, editor(), bogus), 'out');
});

test('the token of a link is its longest part, and a forged link differs only in it', () => {
  const link = 'https://very-long-host-name-of-service.test/enter/aB3kd9Qz7Lm2/.editor?to=home';
  assert.equal(tokenIn(link), 'aB3kd9Qz7Lm2');
  assert.equal(forgedLink(link), link.replace('aB3kd9Qz7Lm2', 'aB3kd9Zz7Lm2'));
});

test('what follows a # is the token where it looks like one and nothing else does, and only scripts can read it', () => {
  for (const [link, token, isOfScripts] of [
    ['https://s.test/enter#aB3kd9Qz7Lm2', 'aB3kd9Qz7Lm2', true],
    ['https://s.test/enter/#/once/aB3kd9Qz7Lm2', 'aB3kd9Qz7Lm2', true],
    ['https://s.test/enter/aB3kd9Qz7Lm2#pages-and-design', 'aB3kd9Qz7Lm2', false],
    ['https://s.test/enter/aB3kd9Qz7Lm2#step-1-of-the-tour', 'aB3kd9Qz7Lm2', false],
    ['https://s.test/l/QzLmAbCdEf#top', 'QzLmAbCdEf', false],
    ['https://s.test/', '', false],
  ] as const) {
    assert.equal(tokenIn(link), token);
    assert.equal(isForScripts(link), isOfScripts, link);
  }
});

test('a page that asks for a password beside a script which may sign in is unclear', () => {
  const page = '<form action="/sign-in"><input type="password"></form><a href="/">Home</a>';
  const at = 'https://s.test/enter';
  assert.equal(judgeFirstUse(arrival(200, at, page), arrival(200, at, page)), 'out');
  const script = `${page}<script>fetch('/api/enter')</script>`;
  assert.equal(judgeFirstUse(arrival(200, at, script), arrival(200, at, script)), 'unclear');
});

test('a form that sends the token of its link goes on, whatever menu is beside it', () => {
  const at = 'https://s.test/login?t=0123456789abcdef0123';
  const menu = '<a href="/">Home</a>';
  const bogus = arrival(403, at, menu);
  const page = (form: string): Arrival => arrival(200, at, `${menu}${form}<button>Continue</button></form>`);
  assert.equal(judgeFirstUse(page('<form method="post" action="/login?t=0123456789abcdef0123">'), bogus), 'unclear');
  assert.equal(
    judgeFirstUse(page('<form method="post"><input name="t" value="0123456789abcdef0123">'), bogus),
    'unclear',
  );
  assert.equal(judgeFirstUse(page('<form action="/search"><input name="q">'), bogus), 'in');
});
