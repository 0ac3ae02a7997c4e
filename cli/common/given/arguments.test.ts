import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { argumentsAsGiven, argumentsOf } from './arguments.ts';

test('flags are repeated as they were given', () => {
  assert.deepEqual(
    argumentsOf({ target: 'profiles/staging.json', 'env-file': ['.env', 'more.env'], https: true, port: 4010 }),
    ['--target', 'profiles/staging.json', '--env-file', '.env', '--env-file', 'more.env', '--https', '--port', '4010'],
  );
  assert.deepEqual(argumentsOf({ target: 'mock:fault=a', hold: false, driver: undefined, trust: [] }), [
    '--target',
    'mock:fault=a',
  ]);
});

test('a report names no folder outside the working folder, and no credentials of an address', () => {
  assert.deepEqual(argumentsOf({ target: '/home/jane/clients/acme/staging.json' }), ['--target', 'staging.json']);
  assert.deepEqual(argumentsOf({ target: join(process.cwd(), 'profiles', 'a.json') }), ['--target', 'profiles/a.json']);
  assert.deepEqual(argumentsOf({ 'label-url': 'https://u:p@labels.example/print?key=abc' }), [
    '--label-url',
    'https://labels.example/print?…',
  ]);
});

test('a command for the terminal of the person who gave a path finds the file', () => {
  assert.deepEqual(argumentsAsGiven({ target: '/etc/acme/staging.json', 'env-file': ['/etc/acme/.env'] }), [
    '--target',
    '/etc/acme/staging.json',
    '--env-file',
    '/etc/acme/.env',
  ]);
});
