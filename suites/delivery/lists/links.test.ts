// What the rules of lists are judged with must not depend on the links that they judge.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SUITES } from '../../index.ts';
import { judged } from '../../properties/steps/whole-state.fixture.ts';

test('links of points that are all refused are found where a page has three points', async () => {
  const { verdict, clauses, reason } = await judged(
    'delivery.lists.points.next-link',
    async (request, next) => {
      const url = new URL(request.url);
      if (!url.pathname.endsWith('/pickup_points/')) return next(request);
      if (url.searchParams.has('page_start'))
        return Response.json({ error: true, error_code: 422, error_message: 'Unknown position.' }, { status: 422 });
      if (!url.searchParams.has('page_size')) url.searchParams.set('page_size', '3');
      return next(new Request(url, request));
    },
    0,
    SUITES,
  );
  assert.equal(verdict, 'fail', reason);
  assert.deepEqual(clauses, ['delivery.lists.next-link'], reason);
});
