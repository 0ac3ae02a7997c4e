import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foreignFact, foreignFactIn } from './website-facts.ts';

/** One other website has no name, and the address of another one is the beginning of the own one. */
const counterpart = {
  factsOf: () => ({ website: ['Nordic Honey', 'https://shops.example/12'], user: ['ilze@honey.example'] }),
  factsOfOthers: () => ({
    website: ['', 'Saule Books', 'https://books.example/', 'https://shops.example/1'],
    user: ['mart@books.example'],
  }),
};

/** The foreign fact on a page of one's own installation, where users sign in or not. */
function foreignOn(lines: string[], signIn?: () => Promise<void>): string | undefined {
  const session = { counterpart, driver: { signIn } };
  return foreignFact(session as unknown as Parameters<typeof foreignFact>[0], { lines }, 'own');
}

test('a website of another user is found, alone and beside the own one', () => {
  assert.equal(foreignOn(['Settings of Saule Books']), 'Saule Books');
  assert.equal(foreignOn(['Nordic Honey', 'Saule Books']), 'Saule Books');
  assert.equal(foreignOn(['Nordic Honey', 'mart@books.example']), 'mart@books.example');
  assert.equal(foreignOn(['Settings of Nordic Honey', 'ilze@honey.example']), undefined);
  assert.equal(foreignOn(['Settings of https://shops.example/12']), undefined);
});

test('a user who signs in may see several websites of their own account', () => {
  const signIn = async (): Promise<void> => undefined;
  assert.equal(foreignOn(['Nordic Honey', 'Saule Books'], signIn), undefined);
  assert.equal(foreignOn(['Saule Books'], signIn), 'Saule Books');
});

test('a website of another user is found in data that a page does not show', () => {
  const session = { counterpart, driver: {} };
  const foundIn = (received: string): string | undefined =>
    foreignFactIn(session as unknown as Parameters<typeof foreignFactIn>[0], received, 'own');
  assert.equal(foundIn('<p>Nordic Honey</p><!-- Saule Books -->'), 'Saule Books');
  assert.equal(foundIn(String.raw`{"all":["https:\/\/books.example\/"]}`), 'https://books.example/');
  assert.equal(foundIn('/panel?site=https%3A%2F%2Fbooks.example%2F'), 'https://books.example/');
  assert.equal(foundIn('<p>Nordic Honey</p>ilze@honey.example'), undefined);
});
