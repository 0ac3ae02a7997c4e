import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { WebsiteSwitches } from './switches.ts';

const STATUS = { kind: 'website-status', website: '7', old: 'enabled' } as const;
const PREMIUM = { kind: 'website-premium', website: '7', old: 'none' } as const;

/** Sends calls, which are served but for those that begin with `!`. */
function after(...paths: string[]): WebsiteSwitches {
  const switches = new WebsiteSwitches();
  for (const path of paths) {
    const plain = path.replace('!', '');
    switches.sends(plain);
    if (plain === path) switches.served(path, {});
  }
  return switches;
}

describe('a status', () => {
  for (const [isBack, what, paths] of [
    [true, 'a served enable', ['website/7/disable/', 'website/7/enable/']],
    [false, 'no call', []],
    [false, 'a disable', ['website/7/enable/', 'website/7/disable/']],
    [false, 'an enable that was refused or not answered', ['website/7/disable/', '!website/7/enable/']],
    [false, 'an enable and a disable that was not answered', ['website/7/enable/', '!website/7/disable/']],
    [false, 'an enable of another website', ['website/7/disable/', 'website/8/enable/']],
  ] as const)
    test(`is ${isBack ? '' : 'not '}back after ${what}`, () => {
      assert.equal(after(...paths).isBack(STATUS), isBack);
    });
});

describe('a subscription', () => {
  const stopped = (): WebsiteSwitches => after('website/7/enable_premium/premium/', 'website/7/disable_premium/');
  const list = (websiteIsPremium: unknown) => ({ websites: [{ websiteID: 7, websiteIsPremium }] });

  test('is back when it was stopped and is seen to be gone', () => {
    const switches = stopped();
    assert.equal(switches.isBack(PREMIUM), false, 'not seen yet');
    switches.served('websites/', list(false));
    assert.equal(switches.isBack(PREMIUM), true);
    switches.sends('website/7/enable_premium/premium/');
    assert.equal(switches.isBack(PREMIUM), false, 'started again');
  });

  for (const shown of [true, undefined])
    test(`is not back when the list shows ${shown}`, () => {
      const switches = stopped();
      switches.served('websites/', list(shown));
      assert.equal(switches.isBack(PREMIUM), false);
    });

  test('is back where every call was refused, and the list shows none', () => {
    const switches = after('!website/7/enable_premium/premium/');
    switches.served('websites/', list(false));
    assert.equal(switches.isBack(PREMIUM), false, 'it was not answered');
    switches.refused('website/7/enable_premium/premium/');
    assert.equal(switches.isBack(PREMIUM), true);
  });

  test('is not back where a refused call follows one that started it', () => {
    const switches = after('website/7/enable_premium/premium/', '!website/7/enable_premium/premiumplus/');
    switches.refused('website/7/enable_premium/premiumplus/');
    switches.served('websites/', list(false));
    assert.equal(switches.isBack(PREMIUM), false);
  });

  test('was stopped by the last call, if that was served', () => {
    assert.equal(stopped().hasStopped('7'), true);
    assert.equal(after('!website/7/disable_premium/').hasStopped('7'), false);
    assert.equal(after('website/7/disable_premium/', 'website/7/enable_premium/premium/').hasStopped('7'), false);
  });
});
