import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LedgerEntry } from '../ledger.ts';
import { undoOrder } from './order.ts';

const domain = { kind: 'domain', website: '7', domain: 'a.example' } as const;
const premium = { kind: 'website-premium', website: '7' } as LedgerEntry;
const wasEnabled = { kind: 'website-status', website: '7', old: 'enabled' } as const;
const wasDisabled = { kind: 'website-status', website: '7', old: 'disabled' } as const;
const password = { kind: 'password' } as LedgerEntry;
const snippet = { kind: 'snippet', old: '' } as LedgerEntry;

const ordered = (...entries: LedgerEntry[]): LedgerEntry[] => undoOrder(entries, (entry) => entry);

test('the last change is undone first', () => {
  assert.deepEqual(ordered(snippet, domain, premium, password), [password, premium, domain, snippet]);
});

test('a website is enabled before its domains are removed, whichever came first', () => {
  assert.deepEqual(ordered(wasEnabled, domain, premium), [wasEnabled, premium, domain]);
  assert.deepEqual(ordered(domain, wasEnabled, premium), [wasEnabled, premium, domain]);
});

test('a website that was disabled is disabled last', () => {
  assert.deepEqual(ordered(domain, wasDisabled), [domain, wasDisabled]);
  assert.deepEqual(ordered(wasDisabled, domain), [domain, wasDisabled]);
});

test('the password keeps its place', () => {
  assert.deepEqual(ordered(wasEnabled, password, domain, snippet), [snippet, wasEnabled, password, domain]);
});
