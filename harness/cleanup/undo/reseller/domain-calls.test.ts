import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Reseller } from '../../../target/interfaces/reseller.ts';
import { Secret } from '../../../target/secrets/secret.ts';
import { DomainCalls } from './domain-calls.ts';

const WEBSITE = '7';
const reseller = new Reseller(new Secret('API_TOKEN', 'token'));
const LIST = reseller.listDomains(WEBSITE);
const ADD = reseller.addDomain(WEBSITE, 'shop.example');
const REMOVE = reseller.removeDomain(WEBSITE, '1');
const ENTRY = { kind: 'domain', website: WEBSITE, domain: 'shop.example' } as const;

/** Sends each call in turn; a list shows the names behind it. */
function after(...steps: readonly (typeof LIST | readonly string[])[]): boolean {
  const calls = new DomainCalls();
  for (const step of steps) {
    if (!Array.isArray(step)) calls.sends(step as typeof LIST);
    else calls.served(LIST, { domains: step.map((domain, at) => ({ domainID: at, domain })) });
  }
  return calls.isGone(ENTRY);
}

test('a domain is gone that was listed, and is not listed after its removal', () => {
  assert.ok(after(ADD, ['shop.example'], REMOVE, []));
  assert.ok(after(ADD, ['SHOP.example.', 'other.example'], REMOVE, ['other.example']));
});

test('a domain may be there that no list has shown, that was changed since the last list, or that is still listed', () => {
  assert.ok(!after(ADD, []));
  assert.ok(!after(ADD, ['shop.example'], REMOVE));
  assert.ok(!after(ADD, ['shop.example'], REMOVE, ['shop.example']));
});

test('a domain that was added again may be listed later', () => {
  assert.ok(!after(ADD, ['shop.example'], REMOVE, [], ADD, []));
  assert.ok(after(ADD, ['shop.example'], REMOVE, [], ADD, ['shop.example'], REMOVE, []));
});

test('lists of other websites say nothing', () => {
  const calls = new DomainCalls();
  calls.served(LIST, { domains: [{ domainID: 1, domain: 'shop.example' }] });
  calls.sends(REMOVE);
  calls.served(reseller.listDomains('8'), { domains: [] });
  assert.ok(!calls.isGone(ENTRY));
});
