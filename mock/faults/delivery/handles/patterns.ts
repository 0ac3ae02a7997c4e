/** Faults of calls that take the handle in their path for a pattern of SQL's LIKE: an underscore matches any character. */
import type { Deviation } from '../../../types/deviation.ts';
import { asLikePattern } from '../../comparisons.ts';
import { intercepts, PATHS } from '../../interception.ts';

const takesPattern = (method: string, path: RegExp): NonNullable<Deviation['http']> =>
  intercepts(method, path, async ({ parts, pass, request, service }) => {
    const [sent = ''] = parts;
    const found = sent.includes('_')
      ? service.state.methods.find(({ handle }) => handle !== sent && asLikePattern(sent, handle))
      : undefined;
    const { pathname } = new URL(request.url);
    return found === undefined ? pass() : pass({ path: pathname.replace(encodeURIComponent(sent), found.handle) });
  });

export const handlePatternFaults: readonly Deviation[] = [
  {
    id: 'methods.updated-by-pattern',
    clause: 'delivery.method.unknown-not-updated',
    about: 'An update takes _ in a handle for any character.',
    http: takesPattern('PUT', PATHS.method),
  },
  {
    id: 'methods.deleted-by-pattern',
    clause: 'delivery.method.delete-leaves-other-methods',
    about: 'A delete takes _ in a handle for any character.',
    http: takesPattern('DELETE', PATHS.method),
  },
  {
    id: 'points.added-by-pattern',
    clause: 'delivery.point.unknown-method-refused',
    about: 'An add takes _ in a handle for any character.',
    http: takesPattern('POST', PATHS.newPoint),
  },
  {
    id: 'points.listed-by-pattern',
    clause: 'delivery.point.unknown-method-refused',
    about: 'The list of points takes _ in a handle for any character.',
    http: takesPattern('GET', PATHS.points),
  },
];
