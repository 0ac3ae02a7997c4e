import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRedaction } from '../../../../harness/evidence/redaction/index.ts';
import { Secret } from '../../../../harness/target/secrets/secret.ts';
import type { AppContext } from '../../session.ts';
import { parameterOf, parametersOf } from '../address.ts';
import { expectOwnFactsEachTime } from './settings-again.ts';

const LANGUAGES: Readonly<Record<string, string>> = { first: 'en', second: 'lv' };

/** What is said of an app that answers settings requests with the name of a website; each installation has its own language. */
async function saidOf(nameFor: (authCode: string, language: string) => string): Promise<string[]> {
  const said: string[] = [];
  const session = {
    app: { secret: new Secret('APP_SECRET', 'app-secret') },
    dialect: 'php',
    driver: {},
    redaction: createRedaction(),
    counterpart: {
      origin: 'http://127.0.0.1:1',
      pagesOrigin: 'http://127.0.0.1:1',
      beginSettings: (authCode: string) => ({
        url: `https://app.example/settings?authCode=${authCode}&language=${LANGUAGES[authCode]}&hash=0`,
      }),
      factsOf: (authCode: string) => ({ website: [`Shop ${authCode}`] }),
      factsOfOthers: (authCode: string) => ({ website: [`Shop ${authCode === 'first' ? 'second' : 'first'}`] }),
    },
    fetcher: {
      fetch: async (url: string) => {
        const pairs = parametersOf(url);
        const name = nameFor(parameterOf(pairs, 'authCode') ?? '', parameterOf(pairs, 'language') ?? '');
        return { url, bytes: Buffer.from(`<h1>Shop ${name}</h1>`), exchange: 1 };
      },
    },
  };
  const expect = { that: (holds: boolean, message: string) => void (holds || said.push(message)) };
  await expectOwnFactsEachTime({ session, expect } as unknown as AppContext, ['first', 'second']);
  return said;
}

test('a page that is kept for each language is found by two owners who use the same one', async () => {
  const kept = new Map<string, string>();
  const [said = ''] = await saidOf((authCode, language) => {
    if (!kept.has(language)) kept.set(language, authCode);
    return kept.get(language) ?? '';
  });
  assert.match(said, /are answered with the website or the user of another one \(shop first\)/i);
});

test('nothing is said of an app that shows each owner their own website', async () => {
  assert.deepEqual(await saidOf((authCode) => authCode), []);
});
