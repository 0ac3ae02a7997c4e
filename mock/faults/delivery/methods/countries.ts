/** Faults of the country lists of delivery methods. */
import type { Deviation } from '../../../types/deviation.ts';
import { listed } from '../../interception.ts';
import { created, updated } from './fields.ts';

/** What fits into a column. */
const MAX_UPDATED_CODES = 10;

export const countryFaults: readonly Deviation[] = [
  {
    id: 'methods.countries-swapped',
    clauses: ['delivery.method.countries-from-kept', 'delivery.method.countries-to-kept'],
    about: 'Store countries and destination countries of a new method are swapped.',
    rules: created((fields) => ({
      available_countries_from: fields.available_countries_to,
      available_countries_to: fields.available_countries_from,
    })),
  },
  {
    id: 'methods.countries-to-limited-to-three',
    clause: 'delivery.method.countries-to-kept',
    about: 'Only the first three destination countries of a new method are kept.',
    rules: created(({ available_countries_to: codes }) => ({ available_countries_to: codes?.slice(0, 3) ?? null })),
  },
  {
    id: 'methods.countries-as-string',
    clause: 'delivery.method.country-lists-are-codes',
    about: 'Country lists are comma-separated texts instead of arrays.',
    rules: (correct) => ({
      renderMethod: (method, site) => {
        const shown = correct.renderMethod(method, site);
        return {
          ...shown,
          available_countries_from: joined(shown.available_countries_from),
          available_countries_to: joined(shown.available_countries_to),
        };
      },
    }),
  },
  {
    id: 'methods.countries-three-letters-in-list',
    clauses: ['delivery.method.country-lists-are-codes', 'delivery.method.list-agrees-with-read'],
    about: 'Methods in the list have three-letter country codes; a single method has two-letter codes.',
    rules: listed('delivery_methods', (items) =>
      items.map((item) => ({ ...item, available_countries_to: longCodes(item.available_countries_to) })),
    ),
  },
  {
    id: 'methods.update-adds-countries',
    clause: 'delivery.method.update-applies',
    about: 'An update of the destination countries adds them to the old ones.',
    rules: updated((fields, input, before) => ({
      available_countries_to: input.available_countries_to
        ? [...new Set([...(before.available_countries_to ?? []), ...input.available_countries_to])]
        : fields.available_countries_to,
    })),
  },
  {
    id: 'methods.countries-in-capitals-only',
    clauses: ['delivery.method.countries-from-kept', 'delivery.method.countries-to-kept'],
    about: 'Country codes in small letters are dropped from the lists of a new method.',
    rules: created(({ available_countries_from: from, available_countries_to: to }) => ({
      available_countries_from: inCapitals(from),
      available_countries_to: inCapitals(to),
    })),
  },
  {
    id: 'methods.no-countries-become-one',
    clause: 'delivery.method.countries-from-kept',
    about:
      'An empty list of store countries becomes a list with the first country of the service; an omitted list stays empty.',
    rules: created((fields, input) => ({
      available_countries_from: input.available_countries_from?.length === 0 ? ['LV'] : fields.available_countries_from,
    })),
  },
  {
    id: 'methods.update-keeps-ten-countries',
    clause: 'delivery.method.update-applies',
    about: 'An update keeps the first ten destination countries; a create keeps all.',
    rules: updated(({ available_countries_to: codes }) => ({
      available_countries_to: codes?.slice(0, MAX_UPDATED_CODES) ?? null,
    })),
  },
];

const inCapitals = (codes: readonly string[] | null): readonly string[] | null =>
  codes?.filter((code) => code === code.toUpperCase()) ?? null;

const joined = (codes: unknown): unknown => (Array.isArray(codes) ? codes.join(',') : codes);

const longCodes = (codes: unknown): unknown => (Array.isArray(codes) ? codes.map((code) => `${code}X`) : codes);
