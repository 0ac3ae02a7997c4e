import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceRequest } from '../../../target/client/request.ts';
import { DeletedMethods } from './deleted-methods.ts';

const PATH = 'store/delivery_method/a%20b/';

/** Sends calls, written as `DELETE path`; those that begin with `!` are refused. */
function after(...calls: string[]): DeletedMethods {
  const methods = new DeletedMethods();
  for (const text of calls) {
    const [method, path] = text.replace('!', '').split(' ') as [ServiceRequest['method'], string];
    const call = { api: 'v1', method, path } as ServiceRequest;
    methods.sends(call);
    if (text.startsWith('!')) methods.refused(call);
    else methods.served(call);
  }
  return methods;
}

for (const [isUnreadable, what, calls] of [
  [true, 'a served delete and a refused reading', [`DELETE ${PATH}`, `!GET ${PATH}`]],
  [true, 'calls for its points', [`DELETE ${PATH}`, `!GET ${PATH}`, `!GET ${PATH}pickup_points/`]],
  [false, 'a served delete alone', [`DELETE ${PATH}`]],
  [false, 'a refused delete', [`!DELETE ${PATH}`, `!GET ${PATH}`]],
  [false, 'a reading that was served', [`DELETE ${PATH}`, `!GET ${PATH}`, `GET ${PATH}`]],
  [false, 'an update', [`DELETE ${PATH}`, `!GET ${PATH}`, `!PUT ${PATH}`]],
  [
    false,
    'a call for points of several methods',
    [`DELETE ${PATH}`, `!GET ${PATH}`, 'POST store/delivery_method/c,a%20b/pickup_point/'],
  ],
  [false, 'a refused reading of its points', [`DELETE ${PATH}`, `!GET ${PATH}pickup_points/`]],
  [false, 'calls for another method', ['DELETE store/delivery_method/c/', '!GET store/delivery_method/c/']],
] as const)
  test(`a method is ${isUnreadable ? '' : 'not '}known to be unreadable after ${what}`, () => {
    assert.equal(after(...calls).isUnreadable('a b'), isUnreadable);
  });
