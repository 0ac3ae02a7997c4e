import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  adviceOnOverload,
  describePage,
  isOutsideApp,
  isShown,
  type PageSnapshot,
  programErrorOf,
  showsCommonContent,
  steady,
} from './page-inspection.ts';

const page = (lines: readonly string[], more: Partial<PageSnapshot> = {}): PageSnapshot => ({
  status: 200,
  place: 'https://app.example/settings',
  lines,
  things: [],
  hasContent: lines.length > 0,
  asksToSignIn: false,
  ...more,
});
const AUTHENTIC = [
  page(['Greeting', 'Hello, Anna', 'Visits: #']),
  page(['Greeting', 'Hello, Anna', 'New: tips']),
] as const;

test('a page that shows what authentic ones have in common was served, whatever else is on it', () => {
  assert.ok(showsCommonContent(page(['Greeting', 'Hello, Anna', 'Another tip']), AUTHENTIC));
  assert.ok(showsCommonContent(AUTHENTIC[0], AUTHENTIC));
});

test('a refusal is recognized by what is missing, by its status, or by an empty page', () => {
  assert.ok(!showsCommonContent(page(['Greeting', 'Please open this app from the catalog.']), AUTHENTIC));
  assert.ok(!showsCommonContent(page(['Greeting', 'Hello, Anna'], { status: 403 }), AUTHENTIC));
  assert.ok(!showsCommonContent(page([]), AUTHENTIC));
  assert.ok(!showsCommonContent(page([], { status: undefined }), AUTHENTIC));
});

test('a refusal in the frame of the app is distinguished from its page', () => {
  const frame = ['Greeting', 'Home', 'Help'];
  const form = page(frame, { things: ['input text greeting', 'button submit '] });
  assert.ok(!showsCommonContent(page([...frame, 'This request is not valid.']), [form, form]));
  assert.ok(showsCommonContent({ ...form, lines: [...frame, 'Saved.'] }, [form, form]));
  const bare = page(['Greeting'], { hasContent: true });
  assert.ok(!showsCommonContent(page(['Greeting', 'This request is not valid.']), [bare, bare]));
});

test('pages that have nothing in common say nothing about a third one', () => {
  assert.ok(!showsCommonContent(page(['Not valid.']), [page(['A rainy day']), page(['A sunny day'])]));
});

test('pages that keep no more than their frame say nothing about a third one either', () => {
  const words = [page(['Greeting', 'Word: rain']), page(['Greeting', 'Word: sun'])] as const;
  assert.ok(!showsCommonContent(page(['Greeting', 'Not valid.']), words));
});

test('pages without text are distinguished by their place', () => {
  const drawn = page([], { hasContent: true });
  assert.ok(showsCommonContent(drawn, [drawn, drawn]));
  assert.ok(!showsCommonContent({ ...drawn, place: 'https://app.example/denied' }, [drawn, drawn]));
});

const SERVICE = { origin: 'https://service.example', pagesOrigin: 'http://127.0.0.1:4010' };

test('a page of one’s own has a good status and something to see, and is not the service’s', () => {
  assert.ok(isShown(page(['x'])));
  assert.ok(!isShown(page([])));
  assert.ok(!isShown(page(['x'], { status: 404 })));
  assert.ok(isOutsideApp(page(['x'], { place: 'https://service.example/catalog/' }), SERVICE));
  assert.ok(isOutsideApp(page(['x'], { place: 'http://127.0.0.1:4010/catalog/' }), SERVICE));
  assert.ok(isOutsideApp(page([], { place: 'chrome-error://chromewebdata/' }), SERVICE));
  assert.ok(!isOutsideApp(page(['x']), SERVICE));
  assert.ok(!isOutsideApp(page(['x'], { place: 'https://service.example.app.example/' }), SERVICE));
});

test('a page in words', () => {
  assert.match(describePage(page([], { isUnseen: true })), /could not be inspected/);
  assert.equal(describePage(page(['Hello'])), 'status 200, "Hello"');
  assert.equal(describePage(page([])), 'status 200, an empty page');
  assert.equal(
    describePage(page([], { status: undefined }), 'net::ERR_TOO_MANY_REDIRECTS'),
    'no document was received (net::ERR_TOO_MANY_REDIRECTS)',
  );
});

test('an error of the program is recognized as PHP writes it, and is not any text about errors', () => {
  for (const line of [
    'Fatal error: Uncaught TypeError: f(): Argument ## must be of type string in /srv/app.php:# Stack trace: ## {main} thrown in /srv/app.php on line #',
    'Fatal error: Uncaught Error: Call to undefined function mb_strlen() in C:\\www\\app.php:#',
    'PHP Parse error: syntax error, unexpected token "}" in /srv/app.php on line #',
  ])
    assert.equal(programErrorOf(page(['Settings', line])), line);
  for (const line of [
    'Warning: Undefined array key "shop" in /srv/app.php on line #',
    'A fatal error: what to do in this case, see line #',
    'Fatal error: please try again',
  ])
    assert.equal(programErrorOf(page([line])), undefined);
});

test('codes of both letter cases are left out as numbers are, and words are not', () => {
  for (const id of ['lr_aBcDeFgHiJkLmNoPqRsTuVwX', 'lr_7d2fABqLx0ZzTqWvbnMkLpOe', '5b0f6f0e3b1c4a55'])
    assert.equal(steady(`Request ${id} is not signed.`), 'Request # is not signed.');
  for (const word of ['DeliveryProviderSettings', 'internationalization', 'ZAHLUNGSBEDINGUNGEN'])
    assert.equal(steady(word), word);
});

test('only a server that was asked too often gets the advice to accept more; a gateway points to what failed behind it', () => {
  for (const status of [429, 503]) assert.match(adviceOnOverload({ status }), /rate limit/);
  for (const status of [502, 504]) assert.match(adviceOnOverload({ status }), /behind this server failed/);
});
