// An operation that is added to the documents is also tried without its credentials.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OperationsOf, operationsOf, type ServiceInterface } from '../contracts/operations/index.ts';
import { matchPath } from '../contracts/operations/match.ts';
import { runInProcess } from '../harness/runner/in-process.ts';
import { parseProfile } from '../harness/target/profile/index.ts';
import { profileOf } from '../mock/profile.ts';
import { createService } from '../mock/service.ts';
import { wireToService } from '../proof/service-wire.ts';
import { SUITES } from './index.ts';

/** Operations that no check sends a wrong credential to, with the reason. */
const UNTRIED: Readonly<Partial<Record<OperationsOf<ServiceInterface>, string>>> = {
  uninstallApp: 'its check needs an installation that only a browser makes (suites/apps/delete.ts)',
};

test('every operation is refused without its credentials by a check', async () => {
  const service = createService({ origin: 'http://127.0.0.1:9' });
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: '.', env: {} });
  const tried = new Set<string>();
  const options = {
    profile,
    wire: wireToService(service),
    instantPauses: true,
    onExchange: ({ role, request, response }) => {
      if (role !== 'probe' || response?.status !== 401) return;
      const [, base = '', rest = ''] = /^\/(v1|api)\/(.*)$/.exec(new URL(request.url).pathname) ?? [];
      const operation = matchPath(base as 'v1' | 'api', rest)?.operations.get(request.method);
      if (operation !== undefined) tried.add(operation.id);
    },
  } satisfies Parameters<typeof runInProcess>[1];
  const isOfCredentials = ({ id }: { readonly id: string }) =>
    /^(?:(?:delivery|apps)\.credentials|reseller\.token|apps\.delete)\./.test(id);
  await runInProcess(SUITES, options, isOfCredentials);
  service.close();
  const all = (['delivery', 'apps', 'reseller'] as const).flatMap((iface): string[] => operationsOf(iface));
  assert.deepEqual(
    all.filter((id) => !tried.has(id)),
    Object.keys(UNTRIED),
  );
});
