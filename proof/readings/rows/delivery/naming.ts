/** Silences about handles that a service gives, and about values that it allows once only. */

import { isJsonObject } from '../../../../contracts/json/object.ts';
import { intercepts, memory, PATHS, refused } from '../../../../mock/faults/interception.ts';
import type { Reading, ReadingAnswer } from '../../reading.ts';
import { inTurn } from '../demands.ts';

const METHOD = 'Resources and their fields, Delivery method (A)';

/** Handles by their count. */
const counted = (id: string, about: string, of: (count: number) => string): ReadingAnswer => ({
  id,
  about,
  rules: () => {
    let count = 0;
    return {
      newHandle: () => {
        count += 1;
        return of(count);
      },
    };
  },
});

/** The same letters in other cases. */
const inCases = (count: number): string =>
  [...'parcelshop'].map((letter, at) => ((count >> at) & 1 ? letter.toUpperCase() : letter)).join('');

/** Handles of deleted methods, to be given again. */
const freed = memory((): string[] => []);

type Http = NonNullable<ReadingAnswer['http']>;

const giveFreed: Http = async (request, next, service) => {
  const before = service.state.methods.all().map(({ handle }) => handle);
  const response = await next(request);
  if (request.method === 'DELETE') {
    const isGone = (handle: string): boolean => service.state.methods.get(handle) === undefined;
    freed(service).push(...before.filter(isGone));
  }
  if (request.method !== 'POST' || response.status !== 200) return response;
  const made = service.state.methods.all().find(({ handle }) => !before.includes(handle));
  const handle = made === undefined ? undefined : freed(service).shift();
  if (made === undefined || handle === undefined) return response;
  service.change(() => {
    service.state.methods.delete(made.handle);
    service.state.methods.set(handle, { ...made, handle });
  });
  // Wherever the response has it, and only there: it may be a list, or have no handle.
  const text = (await response.text()).replaceAll(JSON.stringify(made.handle), JSON.stringify(handle));
  return new Response(text, { headers: { 'content-type': 'application/json' } });
};

/** The last call that creates or deletes a method: of two at once, each would take the method of the other for its own. */
const turns = memory((): { last: Promise<unknown> } => ({ last: Promise.resolve() }));

const usedAgain: ReadingAnswer = {
  id: 'used-again',
  about: 'The handle of a deleted method goes to the next new one.',
  http: async (request, next, service) => {
    if (request.method === 'GET') return next(request);
    const turn = turns(service);
    const done = turn.last.then(() => giveFreed(request, next, service));
    turn.last = done.catch(() => undefined);
    return done;
  },
};

/** Whose new methods are whose: by the key that made them. */
const makers = memory(() => new Map<string, string | null>());

const unique = (field: 'title' | 'reference'): ReadingAnswer => ({
  id: `unique-${field}`,
  about: `A new method of an owner needs a ${field} that no other has.`,
  http: intercepts('POST', PATHS.newMethod, async ({ body, pass, request, service }) => {
    const sent = isJsonObject(body?.delivery_method) ? body.delivery_method[field] : undefined;
    const key = request.headers.get('authorization');
    const before = service.state.methods.all();
    const isTaken = before.some(
      (method) =>
        makers(service).get(method.handle) === key && JSON.stringify(method[field]) === JSON.stringify(sent ?? 0),
    );
    if (isTaken) return refused(409, `This ${field} is taken.`);
    const response = await pass();
    const made = service.state.methods.all().find(({ handle }) => before.every((other) => other.handle !== handle));
    if (made !== undefined) makers(service).set(made.handle, key);
    return response;
  }),
});

/** No two methods of an owner have one title in any language. */
const uniqueInEachLanguage: ReadingAnswer = {
  id: 'unique-title-in-each-language',
  // Of several languages.
  without: ['site.languages'],
  about: 'A new method of an owner needs a title that no other has, in every language of the website.',
  http: intercepts('POST', PATHS.newMethod, async ({ body, pass, request, service }) => {
    const fields = isJsonObject(body?.delivery_method) ? body.delivery_method : {};
    const sent = isJsonObject(fields.title) ? fields.title : {};
    const key = request.headers.get('authorization');
    const before = service.state.methods.all();
    const isMissing = isJsonObject(fields.title) && ['en', 'lv'].some((code) => typeof sent[code] !== 'string');
    if (isMissing) return refused(422, 'A language is missing.');
    const isTaken = before.some(
      ({ handle, title }) =>
        makers(service).get(handle) === key &&
        isJsonObject(title) &&
        Object.entries(sent).some(([code, text]) => title[code] === text),
    );
    if (isTaken) return refused(409, 'This title is taken.');
    const response = await pass();
    const made = service.state.methods.all().find(({ handle }) => before.every((other) => other.handle !== handle));
    if (made !== undefined) makers(service).set(made.handle, key);
    return response;
  }),
};

const titleOf = (point: unknown): string | undefined =>
  isJsonObject(point) && point.title !== undefined ? JSON.stringify(point.title) : undefined;

const TAKEN = 'This title is taken.';

const ofOnePoint = intercepts('POST', PATHS.newPoint, async ({ body, pass, parts: [handle = ''] }) => {
  const point = isJsonObject(body?.pickup_point) ? body.pickup_point : {};
  const title = titleOf(point);
  if (title === undefined) return pass();
  const path = `/v1/store/delivery_method/${encodeURIComponent(handle)}/pickup_points/`;
  const listed = await pass({ method: 'GET', path, search: '?page_size=100' });
  const { pickup_points: points = [] } = (await listed.json()) as { pickup_points?: { id: unknown }[] };
  const isTaken = points.some((other) => other.id !== point.id && titleOf(other) === title);
  return isTaken ? refused(409, TAKEN) : pass();
});

const ofLists = intercepts('POST', PATHS.batch, async ({ body, pass }) => {
  const points: unknown[] = Array.isArray(body?.pickup_points) ? body.pickup_points : [];
  const titles = points.map(titleOf).filter((title) => title !== undefined);
  return new Set(titles).size < titles.length ? refused(409, TAKEN) : pass();
});

const titlesOfPoints: ReadingAnswer = {
  id: 'unique-title',
  about: 'A new point needs a title that no other point of its method has.',
  http: inTurn(ofOnePoint, ofLists),
};

export const namingReadings: readonly Reading[] = [
  {
    id: 'methods.handle-source',
    section: METHOD,
    silence: 'How the service comes to the handle of a method.',
    answers: [
      counted('counted', 'It counts: 101, 102 and so on.', (count) => String(100 + count)),
      counted('counted-with-word', 'It counts behind a word: dm-1, dm-2 and so on.', (count) => `dm-${count}`),
      counted(
        'signs',
        'Handles hold spaces, slashes, percent signs and any letters.',
        (n) => `kūrjers & co/${n} 50%?#`,
      ),
      counted('cases', 'Handles may differ in the case of their letters only.', inCases),
      usedAgain,
    ],
  },
  {
    id: 'methods.unique-texts',
    section: METHOD,
    silence: 'Whether two methods of an owner may have one title or one reference.',
    answers: [unique('reference'), unique('title'), uniqueInEachLanguage],
  },
  {
    id: 'points.unique-texts',
    section: 'Resources and their fields, Pickup point (A)',
    silence: 'Whether two points of a method may have one title.',
    answers: [titlesOfPoints],
  },
];
