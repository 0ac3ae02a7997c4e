import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { authorizeCall, Reseller } from '../../../target/interfaces/reseller.ts';
import { Secret } from '../../../target/secrets/secret.ts';
import { AccountCalls } from './account-calls.ts';

const RESELLER = new Reseller(new Secret('API_TOKEN', 'token'));
const OLD = new Secret('RESELLER_PASSWORD', 'old');
const NEW = new Secret('TEMPORARY_PASSWORD', 'new');

const set = (password: Secret) => RESELLER.changePassword(password);
const logIn = (password: Secret) => authorizeCall('me@reseller.example', password);
const change = (company: string) => RESELLER.changeSettings([['company', company]], 'GET');

type Step = readonly [call: ReturnType<typeof set>, outcome: 'served' | 'refused' | 'lost', json?: unknown];

function after(...steps: Step[]): AccountCalls {
  const calls = new AccountCalls();
  for (const [call, outcome, json = { apiToken: 'x' }] of steps) {
    calls.sends(call);
    if (outcome === 'served') calls.served(call, json);
    if (outcome === 'refused') calls.refused(call);
  }
  return calls;
}

describe('a password', () => {
  const back: Step[] = [
    [set(NEW), 'served'],
    [set(OLD), 'served'],
    [logIn(OLD), 'served'],
    [logIn(NEW), 'refused'],
  ];
  for (const [isBack, what, steps] of [
    [true, 'it logs in again, and the other one does not', back],
    [false, 'nothing was sent', []],
    [false, 'the change back was refused', [back[0]!, [set(OLD), 'refused'], ...back.slice(2)]],
    [false, 'the change back was not answered', [back[0]!, [set(OLD), 'lost'], ...back.slice(2)]],
    [false, 'no login followed', [...back.slice(0, 2), back[3]!]],
    [false, 'it logged in without a token', [...back.slice(0, 2), [logIn(OLD), 'served', {}], back[3]!]],
    [false, 'the other one was not tried since', back.slice(0, 3)],
    [false, 'the other one logs in as well', [...back.slice(0, 3), [logIn(NEW), 'served']]],
    [false, 'another change followed', [...back, [set(NEW), 'lost']]],
  ] as const)
    test(`is ${isBack ? '' : 'not '}back after ${what}`, () => {
      assert.equal(after(...(steps as Step[])).hasPasswordBack(OLD), isBack);
    });

  test('is tried by clean-up only if it was sent', () => {
    assert.deepEqual([...after([set(NEW), 'lost']).passwords], ['new']);
  });
});

describe('a setting', () => {
  for (const [isBack, what, steps] of [
    [true, 'its old text was set last', [change('New'), change('Old')]],
    [false, 'another text was set last', [change('Old'), change('New')]],
    [false, 'nothing was sent', []],
  ] as const)
    test(`is ${isBack ? '' : 'not '}set back after ${what}`, () => {
      const calls = after(...steps.map((call) => [call, 'served'] as const));
      assert.equal(calls.hasSetBack({ company: 'Old' }), isBack);
    });

  test('is not set back by a call that was refused, nor by one for another setting', () => {
    assert.ok(!after([change('Old'), 'refused']).hasSetBack({ company: 'Old' }));
    assert.ok(!after([change('Old'), 'served']).hasSetBack({ company: 'Old', addrCity: 'Old' }));
  });
});
