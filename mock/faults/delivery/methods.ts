/** Faults of whole delivery methods: creating, listing, reading, naming and deleting them. */

import { setTimeout } from 'node:timers/promises';
import { pathOf } from '../../../contracts/operations/index.ts';
import { ownerOf, textIn } from '../../state/state.ts';
import type { Deviation } from '../../types/deviation.ts';
import type { Method } from '../../types/method.ts';
import type { Point } from '../../types/point.ts';
import { asLikePattern } from '../comparisons.ts';
import {
  answers,
  bodies,
  intercepts,
  isAscii,
  type Json,
  json,
  listed,
  memory,
  PATHS,
  remembering,
  success,
} from '../interception.ts';

/** How long a write takes, so that another one may arrive meanwhile. */
const MOMENT_MS = 2;

export const methodFaults: readonly Deviation[] = [
  {
    id: 'methods.second-create-lost',
    clause: 'delivery.method.create-stores',
    about: 'Every second create returns success with a handle and stores nothing; the others are correct.',
    http: remembering(() => {
      let creates = 0;
      return intercepts('POST', PATHS.newMethod, async ({ pass, service }) => {
        const response = await pass();
        const made = response.status === 200 && service.state.methods.all().at(-1);
        if (made && ++creates % 2 === 0) service.change(() => service.state.methods.delete(made.handle));
        return response;
      });
    }),
  },
  {
    id: 'methods.create-finds-by-reference',
    clause: 'delivery.method.handle-unique',
    about: 'A create with a known reference updates the method that has it and returns its handle.',
    http: intercepts('POST', PATHS.newMethod, async ({ body, pass, service }) => {
      const fields = body?.delivery_method as Json | undefined;
      const known = service.state.methods.find(({ reference }) => !!reference && reference === fields?.reference);
      if (known === undefined) return pass();
      const response = await pass({ method: 'PUT', path: `/v1/${pathOf('changeMethod', { handle: known.handle })}` });
      return response.status === 200 ? json({ error: false, handle: known.handle }) : response;
    }),
  },
  {
    id: 'methods.list-omits-non-ascii',
    clause: 'delivery.method.list-contains-own',
    about: 'A method whose title has letters outside ASCII is missing from the list; it can be read alone.',
    rules: (correct) => ({
      ownerMayList: (owner, method) =>
        isAscii(textIn(method.title, owner.site.defaultLanguage, owner.site)) && correct.ownerMayList(owner, method),
    }),
  },
  {
    id: 'methods.list-omits-methods-without-countries',
    clause: 'delivery.method.list-contains-own',
    about: 'A method without any country is missing from the list, as in a join of tables; it can be read alone.',
    rules: (correct) => ({
      ownerMayList: (owner, method) =>
        [method.available_countries_from, method.available_countries_to].some((list) => list?.length) &&
        correct.ownerMayList(owner, method),
    }),
  },
  {
    id: 'methods.list-omits-methods-without-reference',
    clause: 'delivery.method.list-contains-own',
    about: 'A method without a reference is missing from the list; it can be read alone.',
    rules: (correct) => ({
      ownerMayList: (owner, method) => !!method.reference && correct.ownerMayList(owner, method),
    }),
  },
  {
    id: 'methods.list-omits-methods-without-label-url',
    clause: 'delivery.method.list-contains-own',
    about: 'A method without a label address is missing from the list.',
    rules: (correct) => ({
      ownerMayList: (owner, method) => method.print_label_url !== null && correct.ownerMayList(owner, method),
    }),
  },
  {
    id: 'methods.list-under-another-name',
    clause: 'delivery.method.list-contains-own',
    about: 'The list of methods is named methods instead of delivery_methods.',
    rules: bodies(['listMethods'], ({ delivery_methods: methods, ...rest }) => ({ ...rest, methods })),
  },
  {
    id: 'methods.list-as-object',
    clause: 'delivery.method.list-contains-own',
    about: 'The list of methods is an object with the handles as its keys instead of an array.',
    rules: listed('delivery_methods', (items) => Object.fromEntries(items.map((item) => [item.handle, item]))),
  },
  {
    id: 'methods.read-returns-previous',
    clause: 'delivery.method.read-by-handle',
    about: 'A read of a method returns the previously read one; the list is correct.',
    rules: () => {
      let before: Json | undefined;
      return {
        single: (name, record) => {
          if (name !== 'delivery_method') return record;
          const shown = before ?? record;
          before = record;
          return shown;
        },
      };
    },
  },
  {
    id: 'methods.read-refused-for-new',
    clause: 'delivery.method.read-by-handle',
    about: 'A method that was created without a label address is listed, but not found by its handle.',
    http: intercepts('GET', PATHS.method, async ({ parts, pass, service }) => {
      const method = service.state.methods.get(parts[0] ?? '');
      if (method?.print_label_url !== null) return pass();
      return json({ error: true, error_code: 404, error_message: 'Not found' }, 404);
    }),
  },
  {
    id: 'methods.handle-is-number',
    clause: 'delivery.method.handle-string',
    about: 'Handles are JSON numbers in every response; calls accept them as text.',
    rules: (correct) => ({
      newHandle: (random) => String(random(5).readUIntBE(0, 5)),
      renderMethod: (method, site) => {
        const shown = correct.renderMethod(method, site);
        return { ...shown, handle: /^\d+$/.test(method.handle) ? Number(method.handle) : shown.handle };
      },
      methodCreated: (method) => ({ error: false, handle: Number(method.handle) }),
    }),
  },
  {
    id: 'methods.handle-shared-by-same-title',
    clauses: ['delivery.method.handle-unique', 'delivery.lists.every-item-once'],
    about: 'A method gets the handle of another method with the same title; both are listed.',
    http: intercepts('POST', PATHS.newMethod, async ({ pass, service }) => {
      const response = await pass();
      const { methods } = service.state;
      const made = methods.all().at(-1);
      if (response.status !== 200 || made === undefined) return response;
      const title = JSON.stringify(made.title);
      const other = methods.find(
        (method) =>
          method.handle !== made.handle && method.owner === made.owner && JSON.stringify(method.title) === title,
      );
      if (other === undefined) return response;
      service.change(() => methods.set(made.handle, { ...made, handle: other.handle }));
      return json({ error: false, handle: other.handle });
    }),
  },
  {
    id: 'methods.name-in-each-language',
    clause: 'delivery.method.name-string',
    about: 'The name of a method is an object by language code instead of a string.',
    rules: (correct) => ({
      renderMethod: (method, site) => ({
        ...correct.renderMethod(method, site),
        name: Object.fromEntries(site.languages.map((language) => [language, method.name])),
      }),
    }),
  },
  {
    id: 'methods.name-set-by-update',
    clause: 'delivery.method.name-read-only',
    about: 'A name that an update sends becomes the name of the method; a create still ignores it.',
    http: intercepts('PUT', PATHS.method, async ({ body, parts, pass, service }) => {
      const response = await pass();
      rename(service, parts[0] ?? '', response, body);
      return response;
    }),
  },
  {
    id: 'methods.name-set-with-title',
    clause: 'delivery.method.name-read-only',
    about:
      'A name that an update sends beside a title becomes the name of the method; one that it sends alone is ignored.',
    http: intercepts('PUT', PATHS.method, async ({ body, parts, pass, service }) => {
      const response = await pass();
      const { title } = (body?.delivery_method ?? {}) as Json;
      if (title !== undefined) rename(service, parts[0] ?? '', response, body);
      return response;
    }),
  },
  {
    id: 'methods.name-set-by-create',
    clause: 'delivery.method.name-read-only',
    about: 'A name that a create sends becomes the name of the method; an update still ignores it.',
    http: intercepts('POST', PATHS.newMethod, async ({ body, pass, service }) => {
      const response = await pass();
      rename(service, service.state.methods.all().at(-1)?.handle ?? '', response, body);
      return response;
    }),
  },
  {
    id: 'methods.unknown-read-as-empty',
    clause: 'delivery.method.unknown-read-refused',
    about: 'Reading an unknown handle returns an empty success envelope.',
    http: intercepts('GET', PATHS.method, async ({ pass }) => {
      const response = await pass();
      return response.status === 404 ? success() : response;
    }),
  },
  {
    id: 'methods.handle-with-suffix-accepted',
    clause: 'delivery.method.unknown-read-refused',
    about: 'A read accepts a longer text that begins with a handle.',
    http: intercepts('GET', PATHS.method, async ({ parts, pass, service }) => {
      const [sent = ''] = parts;
      const known = service.state.methods.find(({ handle }) => sent.startsWith(handle));
      return pass({ path: `/v1/${pathOf('readMethod', { handle: encodeURIComponent(known?.handle ?? sent) })}` });
    }),
  },
  {
    id: 'methods.handle-first-eight-characters',
    clause: 'delivery.method.unknown-read-refused',
    about: 'A read compares the first eight characters of a handle only.',
    http: intercepts('GET', PATHS.method, async ({ parts, pass, service }) => {
      const [sent = ''] = parts;
      const { methods } = service.state;
      const known = methods.get(sent) ?? methods.find(({ handle }) => handle.slice(0, 8) === sent.slice(0, 8));
      return pass({ path: `/v1/${pathOf('readMethod', { handle: encodeURIComponent(known?.handle ?? sent) })}` });
    }),
  },
  {
    id: 'methods.handle-as-pattern',
    clause: 'delivery.method.unknown-read-refused',
    about: 'A read takes _ in a handle for any character.',
    http: intercepts('GET', PATHS.method, async ({ parts, pass, service }) => {
      const [sent = ''] = parts;
      const known = service.state.methods.find(({ handle }) => asLikePattern(sent, handle));
      return pass({ path: `/v1/${pathOf('readMethod', { handle: encodeURIComponent(known?.handle ?? sent) })}` });
    }),
  },
  {
    id: 'methods.unknown-update-served',
    clause: 'delivery.method.unknown-not-updated',
    about: 'An update of an unknown handle returns success and does nothing.',
    http: intercepts('PUT', PATHS.method, async ({ pass }) => {
      const response = await pass();
      return response.status === 404 ? success() : response;
    }),
  },
  {
    id: 'methods.deleted-still-readable',
    clause: 'delivery.method.delete-removes',
    about: 'A deleted method is not listed, but can still be read by its handle.',
    http: remembering(() => {
      const deleted = new Map<string, Json>();
      return async (request, next, service) => {
        const [, handle = ''] = PATHS.method.exec(new URL(request.url).pathname) ?? [];
        const method = service.state.methods.get(handle);
        const owner = method && ownerOf(service.state, method.owner);
        const shown = method && owner && service.rules.renderMethod(method, owner);
        const response = await next(request);
        if (request.method === 'DELETE' && response.status === 200 && shown) deleted.set(handle, shown);
        return request.method === 'GET' && deleted.has(handle) ? json(deleted.get(handle)) : response;
      };
    }),
  },
  {
    id: 'methods.second-delete-does-nothing',
    clause: 'delivery.method.delete-removes',
    about: 'Every second delete of a method returns success and does nothing.',
    http: remembering(() => {
      let deletes = 0;
      return intercepts('DELETE', PATHS.method, async ({ pass }) => {
        const seen = await pass({ method: 'GET' });
        return seen.status === 200 && ++deletes % 2 === 0 ? success() : pass();
      });
    }),
  },
  {
    id: 'methods.second-delete-restores',
    clause: 'delivery.method.delete-removes',
    about: 'A delete of a deleted method returns success and restores it.',
    http: remembering(() => {
      const deleted = memory(() => new Map<string, Method>());
      return intercepts('DELETE', PATHS.method, async ({ parts: [handle = ''], pass, service }) => {
        const { methods } = service.state;
        const method = methods.get(handle);
        const response = await pass();
        const former = deleted(service).get(handle);
        if (response.status === 200 && method) deleted(service).set(handle, method);
        if (method || former === undefined) return response;
        service.change(() => methods.set(handle, former));
        return success();
      });
    }),
  },
  {
    id: 'methods.delete-removes-same-title',
    clause: 'delivery.method.delete-leaves-other-methods',
    about: 'A delete removes every method of the owner with the same title.',
    http: intercepts('DELETE', PATHS.method, async ({ pass, parts, service }) => {
      const { methods } = service.state;
      const gone = methods.get(parts[0] ?? '');
      const response = await pass();
      if (response.status !== 200 || gone === undefined) return response;
      const title = JSON.stringify(gone.title);
      const alike = methods.filter((other) => other.owner === gone.owner && JSON.stringify(other.title) === title);
      service.change(() => {
        for (const { handle } of alike) methods.delete(handle);
      });
      return response;
    }),
  },
  {
    id: 'methods.delete-removes-points-of-others',
    clause: 'delivery.method.delete-leaves-other-methods',
    about: 'A delete also removes points with the same ids from the owner’s other methods.',
    http: intercepts('DELETE', PATHS.method, async ({ pass, parts, service }) => {
      const { methods, points } = service.state;
      const gone = methods.get(parts[0] ?? '');
      const ids =
        gone === undefined
          ? []
          : points
              .of(gone.handle)
              .all()
              .map(({ id }) => id);
      const response = await pass();
      if (response.status !== 200 || gone === undefined) return response;
      service.change(() => {
        for (const { handle } of methods.filter(({ owner }) => owner === gone.owner))
          for (const id of ids) points.of(handle).remove(id);
      });
      return response;
    }),
  },
  {
    id: 'methods.read-without-method',
    clause: 'delivery.method.read-by-handle',
    about: 'A read of a method returns the success envelope without the method.',
    rules: answers(['readMethod'], (response) =>
      response.status === 200 ? { ...response, body: { error: false } } : response,
    ),
  },
  {
    id: 'methods.delete-with-suffix-accepted',
    clause: 'delivery.method.delete-leaves-other-methods',
    about: 'A delete accepts a longer text that begins with a handle.',
    http: intercepts('DELETE', PATHS.method, async ({ parts, pass, service }) => {
      const meant = service.state.methods.find(({ handle }) => (parts[0] ?? '').startsWith(handle));
      return pass(meant === undefined ? {} : { path: `/v1/${pathOf('deleteMethod', { handle: meant.handle })}` });
    }),
  },
  {
    id: 'methods.points-outlive-method',
    clause: 'delivery.method.delete-removes',
    about: 'The points of a deleted method can still be listed.',
    http: remembering(() => async (request, next, service) => {
      const { pathname } = new URL(request.url);
      const [, handle = ''] = (request.method === 'GET' && PATHS.points.exec(pathname)) || [];
      const left = service.state.methods.has(handle) ? undefined : leftOf(service).get(handle);
      if (left !== undefined) return json({ pickup_points: left });
      return intercepts('DELETE', PATHS.method, async ({ parts, pass }) => {
        const [deleted = ''] = parts;
        const points = service.state.points.of(deleted).all();
        const response = await pass();
        if (response.status === 200) leftOf(service).set(deleted, points);
        return response;
      })(request, next, service);
    }),
  },
  {
    id: 'methods.delete-removes-same-reference',
    clause: 'delivery.method.delete-leaves-other-methods',
    about: 'A delete removes every method of the owner with the same reference.',
    http: intercepts('DELETE', PATHS.method, async ({ parts, pass, service }) => {
      const { methods } = service.state;
      const gone = methods.get(parts[0] ?? '');
      const response = await pass();
      if (response.status !== 200 || !gone?.reference) return response;
      const alike = methods.filter(({ owner, reference }) => owner === gone.owner && reference === gone.reference);
      service.change(() => {
        for (const { handle } of alike) methods.delete(handle);
      });
      return response;
    }),
  },
  {
    id: 'methods.concurrent-creates-merged',
    clause: 'delivery.method.handle-unique',
    about: 'A create during another create returns the handle of the other and stores nothing.',
    http: remembering(() => {
      const underWay = memory<{ first: Promise<Response> | undefined }>(() => ({ first: undefined }));
      return intercepts('POST', PATHS.newMethod, async ({ pass, service }) => {
        const state = underWay(service);
        if (state.first !== undefined) return (await state.first).clone();
        state.first = setTimeout(MOMENT_MS).then(() => pass());
        const response = await state.first;
        state.first = undefined;
        return response.clone();
      });
    }),
  },
  {
    id: 'methods.create-copies-countries',
    clause: 'delivery.method.create-stores',
    about: 'A method created without countries has those of the method before it.',
    rules: (correct) => {
      let former: Partial<ReturnType<typeof correct.mergeMethod>> = {};
      return {
        mergeMethod: (before, input, site) => {
          const fields = correct.mergeMethod(before, input, site);
          if (before !== null) return fields;
          former = {
            ...fields,
            available_countries_from: fields.available_countries_from ?? former.available_countries_from ?? null,
            available_countries_to: fields.available_countries_to ?? former.available_countries_to ?? null,
          };
          return former as typeof fields;
        },
      };
    },
  },
];

/** Points of deleted methods, by handle. */
const leftOf = memory(() => new Map<string, readonly Point[]>());

function rename(
  service: Parameters<NonNullable<Deviation['http']>>[2],
  handle: string,
  response: Response,
  body?: Json,
): void {
  const name = (body?.delivery_method as Json | undefined)?.name;
  if (response.status !== 200 || typeof name !== 'string' || !service.state.methods.has(handle)) return;
  service.change(() => service.state.methods.patch(handle, { name }));
}
