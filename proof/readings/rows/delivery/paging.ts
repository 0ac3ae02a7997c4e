/** Silences about pages of lists: which sizes are taken, how full pages are, how long a link is good. */
import { intercepts, json, memory, refused } from '../../../../mock/faults/interception.ts';
import { refuse } from '../../../../mock/http/refusal.ts';
import type { Reading, ReadingAnswer } from '../../reading.ts';

const LISTS = 'Endpoints, Common rules for A and B';
const LIMITS = 'Limits';
const ANY_LIST = /^\/v1\/store\/(delivery_methods|delivery_method\/[^/]+\/pickup_points)\/$/;
const WRITES = new Set(['POST', 'PUT', 'DELETE']);

const sizes = (id: string, about: string, isGood: (size: number) => boolean): ReadingAnswer => ({
  id,
  about,
  // A size that a service cuts down to is one that it takes.
  without: ['lists.page-limit'],
  rules: (correct) => ({
    pageSize: (asked) =>
      asked !== null && /^\d+$/.test(asked) && !isGood(Number(asked))
        ? refuse('invalid', 'page_size can not have this value.')
        : correct.pageSize(asked),
  }),
});

/** Links that were given, each with the number of writes before it. */
const links = memory(() => ({ writes: 0, count: 0, given: new Map<string, number>() }));

/** Numbers each link, and asks whether it is good when it is followed. */
const shortLived = (
  id: string,
  about: string,
  isGood: (writesThen: number, writesNow: number) => boolean,
  isGoodAgain: boolean,
): ReadingAnswer => ({
  id,
  about,
  http: async (request, next, service) => {
    const state = links(service);
    if (WRITES.has(request.method)) state.writes += 1;
    return intercepts('GET', ANY_LIST, async ({ pass }) => {
      const link = new URL(request.url).searchParams.get('ticket');
      if (link !== null) {
        const then = state.given.get(link);
        if (then === undefined || !isGood(then, state.writes)) return refused(410, 'This link is good no longer.');
        if (!isGoodAgain) state.given.delete(link);
      }
      const response = await pass();
      const body = (await response.clone().json()) as { next_page_uri?: string };
      if (typeof body.next_page_uri !== 'string') return response;
      state.count += 1;
      state.given.set(`t${state.count}`, state.writes);
      const to = new URL(body.next_page_uri);
      to.searchParams.set('ticket', `t${state.count}`);
      return json({ ...body, next_page_uri: to.href });
    })(request, next, service);
  },
  without: ['lists.link-form', 'lists.empty-pages', 'lists.last-link'],
});

export const pagingReadings: readonly Reading[] = [
  {
    id: 'lists.page-sizes',
    section: LIMITS,
    silence: 'Which page sizes are taken below the largest.',
    answers: [
      sizes('at-least-5', 'Sizes below 5 are refused.', (size) => size >= 5),
      sizes('at-least-10', 'Sizes below 10 are refused.', (size) => size >= 10),
      sizes('some', 'Only 10, 20, 50 and 100 are taken.', (size) => [10, 20, 50, 100].includes(size)),
      sizes('tens', 'Only tens are taken.', (size) => size % 10 === 0),
    ],
  },
  {
    id: 'lists.empty-pages',
    section: LISTS,
    silence: 'Whether a page with a link to the next one holds anything.',
    answers: [
      {
        id: 'in-the-midst',
        about: 'Before each later page comes one without items.',
        without: ['lists.last-link/empty-page', 'lists.link-form'],
        http: intercepts('GET', ANY_LIST, async ({ request, pass }) => {
          const url = new URL(request.url);
          const from = url.searchParams.get('page_start');
          const response = await pass();
          if (from === null || url.searchParams.has('on') || response.status !== 200) return response;
          const body = (await response.json()) as Record<string, unknown>;
          const name = 'pickup_points' in body ? 'pickup_points' : 'delivery_methods';
          return json({ ...body, [name]: [], next_page_uri: `${url.href}&on=1` });
        }),
      },
    ],
  },
  {
    id: 'lists.link-life',
    section: LISTS,
    silence: 'How long a link to the next page is good.',
    answers: [
      shortLived('once', 'It is good once.', () => true, false),
      shortLived('until-a-change', 'It is good until something is changed.', (then, now) => then === now, true),
    ],
  },
];
