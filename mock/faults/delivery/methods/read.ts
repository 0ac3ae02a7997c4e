/** Faults of listing and reading delivery methods, and of unknown handles. */

import { pathOf } from '../../../../contracts/operations/index.ts';
import { textIn } from '../../../state/state.ts';
import type { Deviation, Http } from '../../../types/deviation.ts';
import { asLikePattern } from '../../comparisons.ts';
import { bodies, intercepts, isAscii, type Json, json, listed, PATHS, responses, success } from '../../interception.ts';

/** Looks for a method by its reference where no method has the handle. */
const byReference = (method: 'GET' | 'PUT' | 'DELETE'): Http =>
  intercepts(method, PATHS.method, async ({ parts: [sent = ''], pass, service }) => {
    const { methods } = service.state;
    const found = methods.has(sent) ? undefined : methods.find(({ reference }) => reference === sent);
    if (found === undefined) return pass();
    return pass({ path: `/v1/${pathOf('readMethod', { handle: encodeURIComponent(found.handle) })}` });
  });

export const readMethodFaults: readonly Deviation[] = [
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
    id: 'methods.read-by-reference',
    clause: 'delivery.method.unknown-read-refused',
    about: 'A read under an unknown handle returns the method whose reference it is.',
    http: byReference('GET'),
  },
  {
    id: 'methods.updated-by-reference',
    clause: 'delivery.method.unknown-not-updated',
    about: 'An update under an unknown handle changes the method whose reference it is.',
    http: byReference('PUT'),
  },
  {
    id: 'methods.deleted-by-reference',
    clause: 'delivery.method.delete-leaves-other-methods',
    about: 'A delete under an unknown handle deletes the method whose reference it is.',
    http: byReference('DELETE'),
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
    id: 'methods.read-without-method',
    clause: 'delivery.method.read-by-handle',
    about: 'A read of a method returns the success envelope without the method.',
    rules: responses(['readMethod'], (response) =>
      response.status === 200 ? { ...response, body: { error: false } } : response,
    ),
  },
];
