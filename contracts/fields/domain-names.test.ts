import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparedName, isSameDomain } from './domain-names.ts';

test('a domain is the same in capitals, in ASCII, and with the dot of the root', () => {
  for (const name of ['Žagars.Example', 'xn--agars-tib.example', 'XN--AGARS-TIB.EXAMPLE', 'žagars.example.'])
    assert.equal(comparedName(name), 'xn--agars-tib.example', name);
  assert.ok(isSameDomain('bücher。example', 'xn--bcher-kva.example'));
});

test('other names differ, and what is not a name stays as it is', () => {
  for (const [one, other] of [
    ['check.example', 'www.check.example'],
    ['zagars.example', 'žagars.example'],
    ['127.1', '127.0.0.1'],
    ['', '.example'],
  ] as const)
    assert.ok(!isSameDomain(one, other), one);
  for (const text of ['žagars.example/path', 'ž @ x', 'xn--.ž']) assert.equal(comparedName(text), text);
});
