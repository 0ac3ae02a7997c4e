/** Faults of the fields of delivery methods: kept, shown and updated. */

import { setTimeout } from 'node:timers/promises';
import { isObject } from '../../../http/request.ts';
import type { Method } from '../../../state/state.ts';
import type { Deviation } from '../../../types/deviation.ts';
import type { MethodInput } from '../../../types/method.ts';
import type { Rules } from '../../../types/rules.ts';
import type { Text } from '../../../types/text.ts';
import {
  type InterceptedRequest,
  intercepts,
  isAscii,
  type Json,
  listed,
  MOMENT_MS,
  PATHS,
  questionMarks,
} from '../../interception.ts';

type Fields = ReturnType<Rules['mergeMethod']>;

/** Changes the fields of a create. */
export const created =
  (change: (fields: Fields, input: MethodInput) => Partial<Fields>): NonNullable<Deviation['rules']> =>
  (correct) => ({
    mergeMethod: (before, input, site) => {
      const fields = correct.mergeMethod(before, input, site);
      return before === null ? { ...fields, ...change(fields, input) } : fields;
    },
  });

/** Changes the fields of an update. */
export const updated =
  (change: (fields: Fields, input: MethodInput, before: Method) => Partial<Fields>): NonNullable<Deviation['rules']> =>
  (correct) => ({
    mergeMethod: (before, input, site) => {
      const fields = correct.mergeMethod(before, input, site);
      return before === null ? fields : { ...fields, ...change(fields, input, before) };
    },
  });

export const eachText = (text: Text | null, change: (words: string) => string): Text | null => {
  if (text === null) return null;
  if (typeof text === 'string') return change(text);
  return Object.fromEntries(Object.entries(text).map(([language, words]) => [language, change(words)]));
};

export const methodFieldFaults: readonly Deviation[] = [
  {
    id: 'methods.title-ascii-only',
    clause: 'delivery.method.title-kept',
    about: 'Letters outside ASCII in the title of a new method become question marks.',
    rules: created(({ title }) => ({ title: eachText(title, questionMarks) })),
  },
  {
    id: 'methods.title-escaped',
    clause: 'delivery.method.title-kept',
    about: 'Ampersands in the title of a new method are kept as HTML entities.',
    rules: created(({ title }) => ({ title: eachText(title, (words) => words.replaceAll('&', '&amp;')) })),
  },
  {
    id: 'methods.title-trimmed',
    clause: 'delivery.method.title-kept',
    about: 'Spaces at both ends of the title of a new method are removed.',
    rules: created(({ title }) => ({ title: eachText(title, (words) => words.trim()) })),
  },
  {
    id: 'methods.title-normalized',
    clause: 'delivery.method.title-kept',
    about: 'Letters with a combining mark in the title of a new method are composed into one character.',
    rules: created(({ title }) => ({ title: eachText(title, (words) => words.normalize('NFC')) })),
  },
  {
    id: 'methods.reference-truncated',
    clause: 'delivery.method.reference-kept',
    about: 'The reference of a new method is cut to its first 40 characters.',
    rules: created(({ reference }) => ({ reference: reference?.slice(0, 40) ?? null })),
  },
  {
    id: 'methods.reference-trimmed',
    clause: 'delivery.method.reference-kept',
    about: 'Spaces at the end of the reference of a new method are removed.',
    rules: created(({ reference }) => ({ reference: reference?.trimEnd() ?? null })),
  },
  {
    id: 'methods.label-url-without-query',
    clause: 'delivery.method.print-label-url-kept',
    about: 'The query string of the label address of a new method is lost.',
    rules: created(({ print_label_url: url }) => ({ print_label_url: url?.split('?')[0] ?? null })),
  },
  {
    id: 'methods.label-url-lower-case',
    clause: 'delivery.method.print-label-url-kept',
    about: 'The label address of a new method is kept in lower case.',
    rules: created(({ print_label_url: url }) => ({ print_label_url: url?.toLowerCase() ?? null })),
  },
  {
    id: 'methods.label-url-by-default',
    clause: 'delivery.method.print-label-url-null-otherwise',
    about: 'A method without a label address shows a page of the service’s own.',
    rules: (correct) => ({
      renderMethod: (method, site) => ({
        ...correct.renderMethod(method, site),
        print_label_url: method.print_label_url ?? 'https://labels.service.example/none',
      }),
    }),
  },
  {
    id: 'methods.label-url-never-cleared',
    clause: 'delivery.method.print-label-url-null-otherwise',
    about: 'An update with null leaves the label address as it was.',
    rules: updated((fields, input, before) => ({
      print_label_url: input.print_label_url === null ? before.print_label_url : fields.print_label_url,
    })),
  },
  {
    id: 'methods.label-url-of-previous-method',
    clause: 'delivery.method.print-label-url-null-otherwise',
    about: 'A create without a label address uses the one of the previous create.',
    rules: (correct) => {
      let last: string | null = null;
      return {
        mergeMethod: (before, input, site) => {
          const fields = correct.mergeMethod(before, input, site);
          if (before !== null) return fields;
          const url = input.print_label_url === undefined ? last : fields.print_label_url;
          last = url;
          return { ...fields, print_label_url: url };
        },
      };
    },
  },
  {
    id: 'methods.list-shows-old-title',
    clause: 'delivery.method.list-agrees-with-read',
    about: 'The list shows only the first word of a title; a single method shows all of it.',
    rules: listed('delivery_methods', (items) =>
      items.map((item) => ({
        ...item,
        title: eachText(item.title as Text | null, (words) => words.split(' ')[0] ?? ''),
      })),
    ),
  },
  {
    id: 'methods.list-shows-one-language',
    clause: 'delivery.method.list-agrees-with-read',
    about: 'The list shows a title only in its first language; a single method shows all languages.',
    rules: listed('delivery_methods', (items) =>
      items.map((item) => ({ ...item, title: inFirstLanguage(item.title) })),
    ),
  },
  {
    id: 'methods.update-of-two-loses-second',
    clause: 'delivery.method.update-applies',
    about: 'An update of two or more fields loses the last one; an update of one field works.',
    http: intercepts('PUT', PATHS.method, async ({ body, pass }) => {
      const fields = Object.entries((body?.delivery_method as Json | undefined) ?? {});
      if (fields.length < 2) return pass();
      return pass({ body: { ...body, delivery_method: Object.fromEntries(fields.slice(0, -1)) } });
    }),
  },
  {
    id: 'methods.update-loses-non-ascii',
    clause: 'delivery.method.update-applies',
    about: 'An update of the reference to a text with letters outside ASCII does nothing.',
    rules: updated((fields, input, before) => ({
      reference: isAscii(input.reference ?? '') ? fields.reference : before.reference,
    })),
  },
  {
    id: 'methods.update-to-empty-ignored',
    clause: 'delivery.method.update-applies',
    about: 'An update to an empty text or list returns success and changes nothing.',
    rules: updated((fields, input, before) => ({
      reference: input.reference === '' ? before.reference : fields.reference,
      available_countries_from: isEmpty(input.available_countries_from)
        ? before.available_countries_from
        : fields.available_countries_from,
      available_countries_to: isEmpty(input.available_countries_to)
        ? before.available_countries_to
        : fields.available_countries_to,
    })),
  },
  {
    id: 'methods.empty-title-keeps-old',
    clause: 'delivery.method.update-applies',
    about: 'An update with an empty title returns success and leaves the title as it was.',
    rules: updated((fields, input, before) => ({ title: input.title === '' ? before.title : fields.title })),
  },
  {
    id: 'methods.update-three-times-only',
    clause: 'delivery.method.update-applies',
    about: 'The first three updates of a method work; later ones return success and do nothing.',
    rules: (correct) => {
      const updates = new Map<string, number>();
      return {
        mergeMethod: (before, input, site) => {
          const fields = correct.mergeMethod(before, input, site);
          if (before === null) return fields;
          const count = (updates.get(before.handle) ?? 0) + 1;
          updates.set(before.handle, count);
          return count > 3 ? before : fields;
        },
      };
    },
  },
  {
    id: 'methods.update-loses-reference',
    clause: 'delivery.method.update-keeps-omitted-fields',
    about: 'An update without the reference removes it.',
    rules: updated((fields, input) => ({ reference: input.reference === undefined ? null : fields.reference })),
  },
  {
    id: 'methods.update-of-title-loses-label-url',
    clause: 'delivery.method.update-keeps-omitted-fields',
    about: 'An update of the title removes the label address; other updates keep it.',
    rules: updated((fields, input) => ({
      print_label_url: input.title !== undefined && input.print_label_url === undefined ? null : fields.print_label_url,
    })),
  },
  {
    id: 'methods.update-of-one-country-list-clears-other',
    clause: 'delivery.method.update-keeps-omitted-fields',
    about: 'An update of only the store countries removes the destination countries.',
    rules: updated((fields, input) => ({
      available_countries_to:
        input.available_countries_from !== undefined && input.available_countries_to === undefined
          ? null
          : fields.available_countries_to,
    })),
  },
  {
    id: 'methods.update-changes-previous-method',
    clause: 'delivery.method.update-leaves-other-methods',
    about: 'An update of the destination countries also changes the previously created method.',
    http: intercepts('PUT', PATHS.method, async ({ parts, pass, service }) => {
      const response = await pass();
      const { methods } = service.state;
      const changed = methods.get(parts[0] ?? '');
      if (response.status !== 200 || changed === undefined) return response;
      const other = methods.find(({ owner, number }) => owner === changed.owner && number === changed.number - 1);
      if (other === undefined) return response;
      const { available_countries_to } = changed;
      service.change(() => methods.patch(other.handle, { available_countries_to }));
      return response;
    }),
  },
  {
    id: 'methods.reference-lost-with-many-countries',
    clause: 'delivery.method.reference-kept',
    about: 'A new method with three destination countries or more loses its reference; others keep it.',
    rules: (correct) => ({
      mergeMethod: (before, input, site) => {
        const merged = correct.mergeMethod(before, input, site);
        const isCrowded = before === null && (merged.available_countries_to ?? []).length >= 3;
        return isCrowded ? { ...merged, reference: null } : merged;
      },
    }),
  },
  {
    id: 'methods.update-truncates-reference',
    clause: 'delivery.method.update-applies',
    about: 'An update cuts a reference to its first 60 characters; a create keeps all of it.',
    rules: (correct) => ({
      mergeMethod: (before, input, site) => {
        const merged = correct.mergeMethod(before, input, site);
        return before === null ? merged : { ...merged, reference: merged.reference?.slice(0, 60) ?? null };
      },
    }),
  },
  {
    id: 'methods.update-of-two-clears-third',
    clause: 'delivery.method.update-keeps-omitted-fields',
    about:
      'An update of both reference and label address removes the store countries; an update of only one of them does not.',
    rules: (correct) => ({
      mergeMethod: (before, input, site) => {
        const merged = correct.mergeMethod(before, input, site);
        const clears = input.reference && input.print_label_url && input.available_countries_from === undefined;
        return before !== null && clears ? { ...merged, available_countries_from: null } : merged;
      },
    }),
  },
  {
    id: 'methods.label-url-slash-and-fragment-lost',
    clause: 'delivery.method.print-label-url-kept',
    about: 'The label address of a method loses the slash at its end and its fragment.',
    rules: created(({ print_label_url: url }) => ({
      print_label_url: url === null ? null : url.replace(/#.*/, '').replace(/\/$/, ''),
    })),
  },
  {
    id: 'methods.empty-update-clears-reference',
    clause: 'delivery.method.update-keeps-omitted-fields',
    about: 'An update without fields removes the reference.',
    rules: updated((_fields, input) => (Object.keys(input).length === 0 ? { reference: null } : {})),
  },
  {
    id: 'methods.simultaneous-updates-lost',
    clause: 'delivery.method.update-keeps-omitted-fields',
    about:
      'Of updates that arrive together only the last is kept: it writes the fields that it does not name as it read them.',
    http: meetsUpdate(async ({ body, pass, service }, handle) => {
      const before = service.state.methods.get(handle);
      await setTimeout(MOMENT_MS);
      const response = await pass();
      const named = Object.keys((body?.delivery_method as Json | undefined) ?? {});
      const after = service.state.methods.get(handle);
      if (response.status === 200 && before !== undefined && after !== undefined) {
        const sent = Object.entries(after).filter(([name]) => named.includes(name));
        service.change(() => service.state.methods.set(handle, { ...before, ...Object.fromEntries(sent) }));
      }
      return response;
    }),
  },
  {
    id: 'methods.update-of-title-takes-name',
    clause: 'delivery.method.update-keeps-omitted-fields',
    about: 'An update of the title empties the name.',
    http: meetsUpdate(async ({ body, pass, service }, handle) => {
      const response = await pass();
      const isNamed = Object.hasOwn((body?.delivery_method as Json | undefined) ?? {}, 'title');
      if (response.status === 200 && isNamed) service.change(() => service.state.methods.patch(handle, { name: '' }));
      return response;
    }),
  },
  {
    id: 'methods.update-of-title-becomes-name',
    clause: 'delivery.method.update-keeps-omitted-fields',
    about: 'Methods are named by number, and an update of the title replaces this name by the title.',
    rules: () => ({ methodName: () => 'No. 17' }),
    http: meetsUpdate(async ({ body, pass, service }, handle) => {
      const response = await pass();
      const { title } = (body?.delivery_method as Json | undefined) ?? {};
      const name = inFirstLanguage(title);
      if (response.status === 200 && typeof name === 'string')
        service.change(() => service.state.methods.patch(handle, { name }));
      return response;
    }),
  },
  {
    id: 'methods.sent-name-becomes-title',
    clause: 'delivery.method.name-read-only',
    about: 'A name that is sent in an update becomes the title.',
    http: meetsUpdate(async ({ body, pass }) => {
      const fields = (body?.delivery_method as Json | undefined) ?? {};
      return typeof fields.name === 'string'
        ? pass({ body: { delivery_method: { ...fields, title: fields.name } } })
        : pass();
    }),
  },
];

/** Intercepts updates of methods. */
function meetsUpdate(serve: (met: InterceptedRequest, handle: string) => Promise<Response>) {
  return intercepts('PUT', PATHS.method, (met) => serve(met, met.parts[0] ?? ''));
}

const isEmpty = (codes: readonly string[] | null | undefined): boolean => codes?.length === 0;

const inFirstLanguage = (title: unknown): unknown => (isObject(title) ? (Object.values(title)[0] ?? null) : title);
