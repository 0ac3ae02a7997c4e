import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReusedHandles } from './reused-handles.ts';

const markIn = (method: unknown): string | undefined => /pm-[0-9]/.exec(JSON.stringify(method))?.[0];

function watched(): { readonly handles: ReusedHandles; readonly announced: () => number } {
  let announced = 0;
  const handles = new ReusedHandles(markIn, () => {
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
