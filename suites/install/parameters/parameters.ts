import { type Check, check } from '../../../harness/check/check.ts';
import type { CheckTitle } from '../../../harness/check/facts.ts';
import { INSTALLS } from '../sequence/sequence.ts';
import { expectParameter, loadParameter } from '../steps/parameters.ts';
import { loadsOf, walkOf } from '../steps/reading.ts';
import { callbackOf } from '../steps/user-flow.ts';

const parameterCheck = (id: string, name: Parameters<typeof loadParameter>[0]): Check => {
  const parameter = loadParameter(name);
  const title: CheckTitle = `MUST send ${parameter.what} with both loads of the install address`;
  const needs = [...INSTALLS.needs, ...(parameter.needs ?? [])];
  return check(id, title, { ...INSTALLS, needs, clauses: [id] }, async (context) => {
    for (const shape of ['self', 'blank'] as const) {
      const walk = await walkOf(context, shape);
      for (const load of loadsOf(context, walk)) expectParameter(context, walk, load, parameter);
    }
  });
};

export const checks: readonly Check[] = [
  parameterCheck('install.parameters.app-id', 'appId'),
  parameterCheck('install.parameters.language', 'language'),
  parameterCheck('install.parameters.callback', 'callback'),
  parameterCheck('install.parameters.platform-version', 'platformVersion'),

  check(
    'install.parameters.callback-without-query',
    'SHOULD issue callback addresses without a query, since apps append theirs',
    { ...INSTALLS, clauses: ['install.parameters.callback-without-query'] },
    async (context) => {
      const walk = await walkOf(context, 'self');
      for (const load of loadsOf(context, walk)) {
        const { exchange } = load.received;
        const clause = 'install.parameters.callback';
        const callback = context.given.present(callbackOf(load), clause, 'a load had no callback parameter', {
          exchange,
        });
        context.expect.that(!/[?#]/.test(callback), 'should issue callbacks without a query or fragment', {
          expected: 'an address that ends with its path',
          actual: callback,
          pointer: 'query callback',
          exchange,
        });
      }
    },
  ),
];
