import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OPERATIONS, type OperationId, operationsOf, pathOf } from './index.ts';
import { operationAt } from './match.ts';

describe('operations', () => {
  test('every operation of the service has a path; those of Reseller take GET and POST', () => {
    for (const iface of ['delivery', 'apps', 'reseller'] as const) {
      const ids = operationsOf(iface);
      assert.ok(ids.length > 9, `${iface} has ${ids.length} operations`);
      for (const id of ids) {
        const { template, methods, party, document } = OPERATIONS[id];
        assert.match(template, /^\/.*\/$/, id);
        assert.equal(party, 'service', id);
        assert.equal(document, iface === 'reseller' ? 'api' : 'v1', id);
        if (iface === 'reseller') assert.deepEqual(methods, ['GET', 'POST'], id);
        else assert.equal(methods.length, 1, id);
      }
    }
  });

  test('pages of integrators and label callbacks have no path of the service, but a party that answers them', () => {
    const others = (Object.keys(OPERATIONS) as OperationId[]).filter((id) => OPERATIONS[id].document === 'integrator');
    assert.deepEqual(
      others.map((id) => [id, OPERATIONS[id].party]),
      [
        ['requestLabel', 'integrator'],
        ['reportLabel', 'service'],
        ['reportLabelFailure', 'service'],
        ['openDynamicCheckout', 'integrator'],
        ['openInstallPage', 'integrator'],
        ['openSettingsPage', 'integrator'],
      ],
    );
  });

  test('values are put into a path as they are', () => {
    assert.equal(pathOf('listMethods', {}), 'store/delivery_methods/');
    assert.equal(
      pathOf('readPoint', { handle: 'a,b', point: 'x%2Fy' }),
      'store/delivery_method/a,b/pickup_point/x%2Fy/',
    );
    // @ts-expect-error: a path without one of its values does not compile.
    assert.match(pathOf('readMethod', {}), /undefined/);
  });

  test('an address is an operation by its method and exact path, below any host and prefix', () => {
    const idAt = (method: string, url: string): string | undefined => operationAt(method, url)?.id;
    assert.equal(
      idAt('PUT', 'https://a.example/proxy/v1/store/delivery_method/v1/pickup_point/a%2Fb/?x=/api/'),
      'changePoint',
    );
    assert.equal(idAt('POST', '/api/website/7/domain/9/remove/'), 'removeDomain');
    assert.equal(idAt('GET', 'https://a.example/v1/apps/get_snippet/'), 'getSnippet');
    for (const [method, url] of [
      ['GET', 'https://a.example/v1/store/delivery_methods'],
      ['GET', 'https://a.example/api/store/delivery_methods/'],
      ['DELETE', 'https://a.example/v1/store/delivery_methods/'],
      ['GET', 'https://a.example/api'],
    ] as const)
      assert.equal(idAt(method, url), undefined, `${method} ${url}`);
  });
});
