/** Mistakes of clients that upload lists of points, in one call and in portions. */
import type { Json } from '../client.ts';
import { at, inBody, inList, type Mistake } from './mistake.ts';

const BODY = 'provider.calls.list-sent';
const FIRST = 'provider.calls.first-portion-initializes';
const LAST = 'provider.calls.last-portion-finalizes';

/** Changes the calls of an upload in portions. */
const inPortion = (change: (body: Json) => unknown) =>
  inBody('upload', (body) => ('is_initialization' in body ? change(body) : body));

/** Changes the first point of each list. */
const firstOf = (change: (first: Json, second: Json | undefined) => unknown) =>
  inList(([first, ...rest]) => (first === undefined ? [] : [change(first, rest[0]), ...rest]));

export const UPLOAD_MISTAKES: readonly Mistake[] = [
  {
    ...{ id: 'upload.bare-list', about: 'The list is the whole body.', clause: BODY },
    change: inBody('upload', ({ pickup_points }) => pickup_points),
  },
  {
    ...{ id: 'upload.list-under-other-name', about: 'The list has the name of one point.', clause: BODY },
    change: inBody('upload', ({ pickup_points, ...rest }) => ({ ...rest, pickup_point: pickup_points })),
  },
  {
    ...{ id: 'upload.points-by-id', about: 'The points are an object of ids and points.', clause: BODY },
    change: inList((points) => Object.fromEntries(points.map((point) => [String(point.id), point]))),
  },
  {
    ...{
      id: 'upload.portions-of-150',
      about: 'Portions have more than 100 points.',
      clause: 'provider.calls.portion-size',
    },
    change: inPortion((body) => {
      const points = body.pickup_points as readonly Json[];
      return { ...body, pickup_points: [...points, ...points.map((point) => ({ ...point, id: `${point.id}b` }))] };
    }),
  },
  {
    ...{ id: 'upload.each-portion-first', about: 'Each portion says that it is the first one.' },
    clause: 'provider.calls.later-portions-continue',
    change: inPortion((body) => ({ ...body, is_initialization: true })),
  },
  {
    ...{ id: 'upload.flag-of-later-left-out', about: 'Later portions do not say that they continue.' },
    clause: 'provider.calls.later-portions-continue',
    change: inPortion(({ is_initialization, ...body }) => ({
      ...body,
      ...(is_initialization === true && { is_initialization }),
    })),
  },
  {
    ...{ id: 'upload.never-first', about: 'No portion says that it is the first one.' },
    clause: FIRST,
    change: inPortion((body) => ({ ...body, is_initialization: false })),
  },
  {
    ...{ id: 'upload.each-portion-last', about: 'Each portion says that it is the last one.' },
    clause: 'provider.calls.earlier-portions-open',
    change: inPortion((body) => ({ ...body, is_finalization: true })),
  },
  {
    ...{ id: 'upload.never-finished', about: 'No portion says that it is the last one.' },
    clause: LAST,
    change: inPortion((body) => ({ ...body, is_finalization: false })),
  },
  {
    ...{ id: 'upload.flags-as-text', about: 'The flags are texts.', clause: LAST },
    change: inPortion((body) => ({ ...body, is_finalization: String(body.is_finalization) })),
  },
  {
    ...{ id: 'upload.flags-as-number', about: 'The flags are numbers.', clause: FIRST },
    change: inPortion((body) => ({ ...body, is_initialization: Number(body.is_initialization) })),
  },
  {
    ...{
      id: 'upload.flag-misspelt',
      about: 'A flag is written in the British way.',
      clause: 'provider.calls.field-types',
    },
    change: inPortion(({ is_finalization, ...body }) => ({ ...body, is_finalisation: is_finalization })),
  },
  {
    ...{ id: 'upload.id-twice', about: 'An id is in the list twice.', clause: 'provider.calls.ids-unique' },
    change: firstOf((first, second) => ({ ...first, id: second?.id ?? first.id })),
  },
  {
    ...{ id: 'upload.id-in-two-portions', about: 'An id is in two portions.', clause: 'provider.calls.ids-unique' },
    change: inBody('upload', (body) => {
      const [first, ...rest] = body.pickup_points as readonly Json[];
      return body.is_initialization === false ? { ...body, pickup_points: [{ ...first, id: 'P100' }, ...rest] } : body;
    }),
  },
  {
    ...{ id: 'upload.country-by-name', about: 'The country of the call is its name.' },
    clause: 'provider.calls.country-codes',
    change: inBody('upload', (body) => ('country' in body ? { ...body, country: 'Estonia' } : body)),
  },
  {
    ...{ id: 'upload.point-of-other-country', about: 'A list for one country has a point of another one.' },
    unseen: 'the contract does not say what a service does with such a point, and a client may rely on its service',
    change: inBody('upload', (body) => {
      const [first, ...rest] = body.pickup_points as readonly Json[];
      return body.country === 'EE' ? { ...body, pickup_points: [{ ...first, country: 'LV' }, ...rest] } : body;
    }),
  },
  {
    ...{ id: 'upload.flags-of-a-whole-list', about: 'A list in one call says that it is the first and last portion.' },
    change: inBody('upload', (body) =>
      'is_initialization' in body ? body : { ...body, is_initialization: true, is_finalization: true },
    ),
  },
  {
    ...{ id: 'upload.null-country', about: 'A list for all countries has null as its country.' },
    change: at('upload', ({ body }) => ({ body: { country: null, ...(body as Json) } })),
  },
];
