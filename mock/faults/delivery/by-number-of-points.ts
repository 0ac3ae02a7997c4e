/** Faults that a method shows only with so many points: none, or more than 100 of them. The same values are taken elsewhere. */
import type { Deviation } from '../../types/deviation.ts';
import { type InterceptedRequest, intercepts, type Json, json, PATHS, refused } from '../interception.ts';

type Http = NonNullable<Deviation['http']>;

const MANY_POINTS = 100;

/** Refuses calls of one operation for a method with so many points. */
const refuses = (method: string, path: RegExp, isRefused: (points: number) => boolean): Http =>
  intercepts(method, path, ({ parts, pass, service }) =>
    (parts[0] ?? '').split(',').some((handle) => isRefused(pointsOf(service, handle)))
      ? Promise.resolve(refused(409, 'Not possible now.'))
      : pass(),
  );

const pointsOf = ({ state }: InterceptedRequest['service'], handle: string): number =>
  state.methods.has(handle) ? state.points.of(handle).all().length : Number.NaN;

const isEmpty = (points: number): boolean => points === 0;
const isTenOrMore = (points: number): boolean => points >= 10;
const isLong = (points: number): boolean => points > MANY_POINTS;

export const contentFaults: readonly Deviation[] = [
  {
    id: 'points.first-add-refused',
    clause: 'delivery.point.create-stores',
    about: 'A point can only be added to a method that has one.',
    http: refuses('POST', PATHS.newPoint, isEmpty),
  },
  {
    id: 'points.update-among-ten-refused',
    clause: 'delivery.point.update-applies',
    about: 'A point can only be changed while its method has fewer than ten.',
    http: refuses('PUT', PATHS.point, isTenOrMore),
  },
  {
    id: 'batch.first-list-refused',
    clause: 'delivery.batch.replaces-all',
    about: 'A list is only taken in place of another one.',
    http: refuses('POST', PATHS.batch, isEmpty),
  },
  {
    id: 'batch.long-list-not-replaceable',
    clause: 'delivery.batch.replaces-all',
    about: 'A list of more than 100 points can not be replaced.',
    http: refuses('POST', PATHS.batch, isLong),
  },
  {
    id: 'methods.read-refused-with-many-points',
    clause: 'delivery.method.read-by-handle',
    about: 'A method with more than 100 points can not be read.',
    http: refuses('GET', PATHS.method, isLong),
  },
  {
    id: 'methods.countries-lost-with-many-points',
    clause: 'delivery.method.create-stores',
    about: 'A method with more than 100 points is read without its countries.',
    http: intercepts('GET', PATHS.method, async ({ parts: [handle = ''], pass, service }) => {
      const response = await pass();
      if (!isLong(pointsOf(service, handle))) return response;
      const method = (await response.json()) as Json;
      return json({ ...method, available_countries_from: [], available_countries_to: [] }, response.status);
    }),
  },
];
