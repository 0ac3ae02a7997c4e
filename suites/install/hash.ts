/** The hash of the installation and settings requests (spec: Authentication, B. Apps interface). */
import { HASH_PARAMETER, pairsOf, unambiguousValue } from '../../contracts/install-hash/index.ts';
import { type Check, check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { FIRST_LOADS, INSTALLS } from './sequence/sequence.ts';
import { expectHash, givenSecret, verified } from './steps/hash.ts';
import { firstOf, loadsOf, secondLoadOf, settingsOf, walkOf } from './steps/reading.ts';
import { OWN_QUERY } from './steps/registration.ts';
import { type Load, parameterOf } from './steps/user-flow.ts';

const HASHED = { ...INSTALLS, needs: [...INSTALLS.needs, 'apps.appSecret'] };
const HASHED_FIRST = { ...FIRST_LOADS, needs: [...FIRST_LOADS.needs, 'apps.appSecret'] };

/** 64 lower-case hexadecimal digits. */
const HASH = /^[0-9a-f]{64}$/;

function givenWritten({ given }: Context, load: Load): void {
  const hash = parameterOf(load, HASH_PARAMETER);
  const { exchange } = load.received;
  given.holds(hash !== undefined && hash !== '', 'install.hash.present', 'the load had no hash', { exchange });
  given.holds(HASH.test(hash ?? ''), 'install.hash.lowercase-hex', 'the hash is not 64 lower-case digits', {
    exchange,
  });
}

export const checks: readonly Check[] = [
  check(
    'install.hash.present',
    'MUST send a hash with both loads of the install address',
    { ...INSTALLS, clauses: ['install.hash.present'] },
    async (context) => {
      for (const load of loadsOf(context, await walkOf(context, 'self'))) {
        const hash = parameterOf(load, HASH_PARAMETER);
        context.expect.that(hash !== undefined && hash !== '', 'must send a hash with every load', {
          expected: 'a hash parameter with a value',
          actual: hash ?? 'no hash',
          pointer: 'query hash',
          exchange: load.received.exchange,
        });
      }
    },
  ),

  check(
    'install.hash.lowercase-hex',
    'MUST write the hash as 64 lower-case hexadecimal digits',
    { ...INSTALLS, clauses: ['install.hash.lowercase-hex'] },
    async (context) => {
      for (const load of loadsOf(context, await walkOf(context, 'self'))) {
        const { exchange } = load.received;
        const clause = 'install.hash.present';
        const hash = context.given.present(parameterOf(load, HASH_PARAMETER), clause, 'the load had no hash', {
          exchange,
        });
        context.expect.that(HASH.test(hash), 'must write the hash as 64 lower-case hexadecimal digits', {
          expected: '64 digits of 0-9 and a-f',
          actual: hash,
          pointer: 'query hash',
          exchange,
        });
      }
    },
  ),

  check(
    'install.hash.first-load-correct',
    "MUST hash the query of the first load with the app's secret",
    { ...HASHED_FIRST, clauses: ['install.hash.first-load-correct'] },
    async (context) => {
      const first = firstOf(context, await walkOf(context, 'self'));
      givenWritten(context, first);
      await expectHash(context, first, 'the first load');
    },
  ),

  check(
    'install.hash.second-load-correct',
    "MUST hash the query of the second load, with authCode, with the app's secret",
    { ...HASHED, clauses: ['install.hash.second-load-correct'] },
    async (context) => {
      const second = secondLoadOf(context, await walkOf(context, 'self'));
      givenWritten(context, second);
      await expectHash(context, second, 'the second load');
    },
  ),

  check(
    'install.hash.covers-app-query',
    "MUST keep the query of the app's own address and include it in the hash",
    { ...HASHED, clauses: ['install.hash.covers-app-query'] },
    async (context) => {
      const { given, resources } = context;
      const [plain, own] = [await walkOf(context, 'self'), await walkOf(context, 'blank')];
      const withSettings = resources.driver.pressSettings !== undefined;
      const rightWithout = async (load: Load, clause: string): Promise<void> => {
        const response = await verified(context, load);
        if (!response.authentic) await givenSecret(context, response);
        const message = 'the hash is wrong even if the address has no own query';
        given.holds(response.authentic, clause, message, { exchange: load.received.exchange });
      };
      const kinds = [
        [firstOf, 'install.hash.first-load-correct', OWN_QUERY.install],
        [secondLoadOf, 'install.hash.second-load-correct', OWN_QUERY.install],
        ...(withSettings ? [[settingsOf, 'settings.request.hash-correct', OWN_QUERY.settings] as const] : []),
      ] as const;
      for (const [loadOf, clause, query] of kinds) {
        await rightWithout(loadOf(context, plain), clause);
        const load = loadOf(context, own);
        expectKept(context, load, query);
        await expectHash(context, load, 'an address that has a query of its own');
      }
    },
  ),

  check(
    'install.hash.encodings-agree',
    'SHOULD send only values that common query encoders encode the same way',
    { ...INSTALLS, clauses: ['install.hash.encodings-agree'] },
    async (context) => {
      const walk = await walkOf(context, 'self');
      for (const load of loadsOf(context, walk)) expectUnambiguous(context, load);
      if (walk.settings !== undefined) expectUnambiguous(context, walk.settings);
    },
  ),
];

/** Asserts that all encoders of queries write the parameters of a load in the same way. */
function expectUnambiguous({ expect }: Context, { pairs, received }: Load): void {
  for (const [name, value] of pairs) {
    const agrees = unambiguousValue(name) && unambiguousValue(value);
    expect.that(agrees, `should send ${name} with a value that all encoders write the same way`, {
      expected: "neither space nor any of ~ * ! ' ( ) in name and value",
      actual: name === 'authCode' ? 'an authCode with such a character' : value,
      pointer: `query ${name}`,
      exchange: received.exchange,
    });
  }
}

/** Asserts that the parameters of the app's own address came with the request. */
function expectKept({ expect }: Context, { pairs, received }: Load, query: string): void {
  for (const [name, value] of pairsOf(query)) {
    expect.that(
      pairs.some(([other, its]) => other === name && its === value),
      `must keep the parameter ${name} of the app's own address`,
      {
        expected: value,
        actual: parameterOf({ pairs }, name) ?? 'no such parameter',
        pointer: `query ${name}`,
        exchange: received.exchange,
      },
    );
  }
}
