import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PageSnapshot, steady } from './page-inspection.ts';
import { programOutputOf } from './program-output.ts';

const shown = (text: string, more: Partial<PageSnapshot> = {}): string | undefined =>
  programOutputOf({
    status: 200,
    place: 'https://app.example/settings',
    lines: text.split('\n').map((line) => steady(line.trim())),
    things: [],
    hasContent: true,
    asksToSignIn: false,
    contentType: 'text/html',
    ...more,
  });

test('data, messages of a program, its traces and words without a text are no page', () => {
  assert.match(shown('{"ok":true}', { contentType: 'application/json' }) ?? '', /JSON/);
  assert.match(shown('<!doctype html><h1>Installed</h1>', { contentType: 'text/plain' }) ?? '', /source of a page/);
  assert.equal(shown('Installed. <b> is for bold.', { contentType: 'text/plain' }), undefined);
  assert.match(
    shown('Warning: Undefined array key "color" in /srv/app/settings.php on line 12\nSettings') ?? '',
    /message of its program/,
  );
  for (const trace of [
    `TypeError: x is undefined
     at App.install (/srv/app/server.js:42:17)
     at process.processTicksAndRejections (node:internal/process/task_queues:95:5)`,
    `Traceback (most recent call last):
     File "/srv/app/app.py", line 61, in do_GET
     self.install(query)
     File "/srv/app/app.py", line 80, in install
     total = query['x']
     KeyError: 'x'`,
    `java.lang.NullPointerException
     at com.example.App.install(App.java:42)
     at com.example.App.main(App.java:12)`,
    `Error: no such key
     #0 /srv/app/settings.php(12): panel()
     #1 {main}
     #2 /srv/app/index.php(3): settings()`,
  ])
    assert.match(shown(trace) ?? '', /stack trace/, trace);
  assert.match(shown('undefined') ?? '', /undefined/);
});

test('a page for a person may be about any of it', () => {
  assert.equal(shown('Settings\nYour greeting: Hello!'), undefined);
  assert.equal(shown('Installed'), undefined);
  assert.equal(shown('Warning: low stock in line 4'), undefined);
  assert.equal(shown('Recent errors\nTypeError: x is undefined\nat cart.js:12:5\nat checkout.js:44:1'), undefined);
  const log = Array.from({ length: 9 }, (_, at) => `Order ${at} could not be sent`).join('\n');
  assert.equal(shown(`${log}\nat f (/srv/a.js:1:2)\nat g (/srv/b.js:1:2)`), undefined);
  assert.equal(shown('null', { things: ['button submit '] }), undefined);
});
