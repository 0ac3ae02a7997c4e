import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceRequest } from '../../target/client/request.ts';
import { RunHandles } from './run-handles.ts';

const markIn = (method: unknown): string | undefined => /pm-[0-9]/.exec(JSON.stringify(method))?.[0];

function watched(): { readonly handles: RunHandles; readonly announced: () => number } {
  let announced = 0;
  const handles = new RunHandles(markIn, () => {
    announced += 1;
  });
  return { handles, announced: () => announced };
}

test('a handle that a new method shares with one of another worker is reused, and announced once', () => {
  const { handles, announced } = watched();
  handles.sawList({ delivery_methods: [{ handle: '1', reference: 'pm-1' }, { handle: 2 }, null] });
  handles.created('2', { reference: 'pm-2' });
  assert.equal(handles.areReused, false);
  handles.created('1', { reference: 'pm-3' });
  handles.created('2', { reference: 'pm-4' });
  assert.deepEqual([handles.areReused, announced()], [true, 1]);
});

test('a method that is seen again, updated or not, reuses nothing', () => {
  const { handles, announced } = watched();
  handles.created('1', { title: 'pm-1' });
  handles.created('1', { title: 'pm-1' });
  handles.sawList({ delivery_methods: [{ handle: '1', reference: 'pm-2' }] });
  handles.sawList({ delivery_methods: null });
  handles.created('3', {});
  assert.deepEqual([handles.areReused, announced()], [false, 0]);
});

test('a method is deleted from the served delete until it is updated, or its handle is that of a new one', () => {
  const { handles } = watched();
  const method = { handle: 'a b', reference: 'pm-1' };
  handles.created('a b', { reference: 'pm-1' });
  assert.equal(handles.isDeleted(method), false);
  const served = (method: ServiceRequest['method'], path: string): void =>
    handles.served({ api: 'v1', method, path: `store/delivery_method/${path}` } as ServiceRequest);
  served('DELETE', 'a%20b/pickup_point/1/');
  assert.equal(handles.isDeleted(method), false);
  served('DELETE', 'a%20b/');
  served('PUT', 'c/');
  assert.equal(handles.isDeleted(method), true);
  served('PUT', 'a%20b/');
  assert.equal(handles.isDeleted(method), false);
  served('DELETE', 'a%20b/');
  assert.equal(handles.isDeleted({ handle: 'a b', reference: 'pm-2' }), false);
  handles.created('a b', { reference: 'pm-1' });
  assert.equal(handles.isDeleted(method), false);
  handles.created('\ud83d', { reference: 'pm-3' });
  assert.equal(handles.isDeleted({ handle: '\ud83d', reference: 'pm-3' }), false);
});
