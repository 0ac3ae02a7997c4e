/** A fault of a service that forgets a part of what is not used for a while. */
import type { Deviation } from '../../../types/deviation.ts';
import { memory, remembering } from '../../interception.ts';

/** Calls of the interface without a change of a method, after which it counts as not used. */
const CALLS = 150;

export const forgottenFaults: readonly Deviation[] = [
  {
    id: 'methods.reference-forgotten',
    clause: 'delivery.method.reference-kept',
    about: `A method that was not changed for ${CALLS} calls loses its reference.`,
    http: remembering(() => {
      const known = memory(() => ({ calls: 0, changed: new Map<string, number>() }));
      return async (request, next, service) => {
        const { pathname } = new URL(request.url);
        if (!pathname.startsWith('/v1/store/')) return next(request);
        const of = known(service);
        of.calls += 1;
        if (request.method !== 'GET')
          for (const handle of (pathname.split('/')[4] ?? '').split(',')) of.changed.set(handle, of.calls);
        const { methods } = service.state;
        for (const { handle } of methods.all()) if (!of.changed.has(handle)) of.changed.set(handle, of.calls);
        const unused = methods.filter(
          ({ handle, reference }) => reference !== null && of.calls - (of.changed.get(handle) ?? 0) > CALLS,
        );
        service.change(() => {
          for (const { handle } of unused) methods.patch(handle, { reference: null });
        });
        return next(request);
      };
    }),
  },
];
