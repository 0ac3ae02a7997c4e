/** Faults of calls for pickup points that change the fields of their method. */
import type { Deviation } from '../../../types/deviation.ts';
import type { Method } from '../../../types/method.ts';
import { type InterceptedRequest, intercepts, PATHS, remembering } from '../../interception.ts';

/** Changes the methods of a batch call that was served. */
const afterBatch = (
  changed: (met: InterceptedRequest) => Partial<Method> | undefined,
): NonNullable<Deviation['http']> =>
  remembering(() =>
    intercepts('POST', PATHS.batch, async (met) => {
      const response = await met.pass();
      const fields = changed(met);
      if (response.status !== 200 || fields === undefined) return response;
      const { service, parts } = met;
      service.change(() => {
        for (const handle of (parts[0] ?? '').split(',')) service.state.methods.patch(handle, fields);
      });
      return response;
    }),
  );

export const methodOfPointsFaults: readonly Deviation[] = [
  {
    id: 'methods.empty-batch-clears-label-url',
    clause: 'delivery.method.print-label-url-kept',
    about: 'A batch call without points removes the label address of its method.',
    http: afterBatch(({ body }) =>
      Array.isArray(body?.pickup_points) && body.pickup_points.length === 0 ? { print_label_url: null } : undefined,
    ),
  },
  {
    id: 'methods.empty-batch-drops-languages',
    clause: 'delivery.method.title-kept',
    about: 'A batch call without points leaves its method the title in the first language only.',
    http: afterBatch(({ body, parts, service }) => {
      const title = service.state.methods.get(parts[0] ?? '')?.title;
      const isEmpty = Array.isArray(body?.pickup_points) && body.pickup_points.length === 0;
      if (!isEmpty || typeof title !== 'object' || title === null) return undefined;
      return { title: Object.fromEntries(Object.entries(title).slice(0, 1)) };
    }),
  },
  {
    id: 'methods.last-point-takes-label-url-along',
    clause: 'delivery.method.print-label-url-kept',
    about: 'The delete of the last point removes the label address of its method.',
    http: intercepts('DELETE', PATHS.point, async ({ parts, pass, service }) => {
      const response = await pass();
      const { methods, points } = service.state;
      const emptied = (parts[0] ?? '')
        .split(',')
        .filter((handle) => methods.has(handle) && points.of(handle).size === 0);
      if (response.status === 200)
        service.change(() => {
          for (const handle of emptied) methods.patch(handle, { print_label_url: null });
        });
      return response;
    }),
  },
  {
    id: 'methods.batch-for-country-sets-destinations',
    clause: 'delivery.method.countries-to-kept',
    about: 'A batch call for a country makes it the only destination of its method.',
    http: afterBatch(({ body }) =>
      typeof body?.country === 'string' ? { available_countries_to: [body.country] } : undefined,
    ),
  },
];
