/** Faults of creating and naming delivery methods. */

import { setTimeout } from 'node:timers/promises';
import { pathOf } from '../../../../contracts/operations/index.ts';
import type { Deviation } from '../../../types/deviation.ts';
import { intercepts, type Json, json, MOMENT_MS, memory, PATHS, remembering } from '../../interception.ts';

export const createdMethodFaults: readonly Deviation[] = [
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
    id: 'methods.same-create-finds-first',
    clause: 'delivery.method.handle-unique',
    about: 'A create that is equal to an earlier one returns the handle of its method and stores nothing.',
    http: remembering(() => {
      const made = memory(() => new Map<string, string>());
      return intercepts('POST', PATHS.newMethod, async ({ body, pass, request, service }) => {
        const sent = `${request.headers.get('authorization')} ${JSON.stringify(body)}`;
        const known = made(service).get(sent);
        if (known !== undefined && service.state.methods.has(known)) return json({ error: false, handle: known });
        const response = await pass();
        const last = service.state.methods.all().at(-1);
        if (response.status === 200 && last !== undefined) made(service).set(sent, last.handle);
        return response;
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
];

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
