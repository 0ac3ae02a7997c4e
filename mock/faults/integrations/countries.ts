/** Faults of the methods that a checkout offers between two countries. */
import type { Method } from '../../state/state.ts';
import type { Deviation } from '../../types/deviation.ts';
import type { Rules } from '../../types/rules.ts';
import { memory, pages } from '../interception.ts';
import { seen } from './interception.ts';

const LISTED = 'delivery.countries.offered-where-listed';
const PUBLIC = 'delivery.countries.public-methods-filtered';

const isStores = ({ owner }: { readonly owner: string }): boolean => owner.startsWith('website:');
const isFirst = (codes: readonly string[] | null, country: string): boolean =>
  codes === null || codes.length === 0 || codes[0]?.toLowerCase() === country.toLowerCase();

/** The handles that a service has offered at a checkout. */
const offeredOnce = memory(() => new Set<string>());

/** Adds deleted methods to a checkout that has offered them before. */
const offersDeleted =
  (isMeant: (method: Method) => boolean): NonNullable<Deviation['http']> =>
  async (request, next, service) => {
    const response = await next(request);
    if (!/^\/(?:admin\/)?checkout\b/.test(new URL(request.url).pathname)) return response;
    const html = await response.text();
    const known = offeredOnce(service);
    const { methods } = service.state;
    for (const [, handle = ''] of html.matchAll(/<input type="radio"[^>]* value="(\w+)"/g)) {
      const method = methods.get(handle);
      if (method !== undefined && isMeant(method)) known.add(handle);
    }
    const deleted = [...known].filter((handle) => methods.get(handle) === undefined);
    const inputs = deleted.map((handle) => `<input type="radio" name="method" value="${handle}">`).join('');
    const headers = new Headers(response.headers);
    headers.delete('content-length');
    return new Response(html.replace('</form>', `${inputs}</form>`), { status: response.status, headers });
  };

/** Methods whose title changed after they were first offered. */
const renamedOnes = (): ((method: Method) => boolean) => {
  const first = new Map<string, string>();
  return ({ handle, title }) => {
    const now = JSON.stringify(title);
    if (!first.has(handle)) first.set(handle, now);
    return first.get(handle) !== now;
  };
};

/** Keeps the destinations that a method had when it was first offered. */
const destinationsAsFirstOffered =
  (isMeant: (method: Method) => boolean) =>
  (correct: Rules): Partial<Rules> => {
    const first = new Map<string, Method>();
    return {
      offeredTo: (method, country) => {
        const known = first.get(method.handle) ?? method;
        first.set(method.handle, known);
        return correct.offeredTo(isMeant(method) ? known : method, country);
      },
    };
  };

export const countryFaults: readonly Deviation[] = [
  seen(
    'countries.opened-by-rename',
    'delivery.countries.to-restricts',
    'A method with another title than when it was first offered is offered for every destination.',
    (correct) => {
      const isRenamed = renamedOnes();
      return { offeredTo: (method, country) => isRenamed(method) || correct.offeredTo(method, country) };
    },
  ),
  seen(
    'countries.closed-by-rename',
    LISTED,
    'A method with another title than when it was first offered is not offered any more.',
    (correct) => {
      const isRenamed = renamedOnes();
      return { offeredTo: (method, country) => !isRenamed(method) && correct.offeredTo(method, country) };
    },
  ),
  seen(
    'countries.providers-need-destinations',
    PUBLIC,
    'A provider’s method without a list of destinations is never offered.',
    (correct) => ({
      isOffered: (website, method) =>
        correct.isOffered(website, method) && (isStores(method) || Boolean(method.available_countries_to?.length)),
    }),
  ),
  seen(
    'countries.providers-destinations-as-first-offered',
    PUBLIC,
    'The destinations of a provider’s method are those that it had when it was first offered.',
    destinationsAsFirstOffered((method) => !isStores(method)),
  ),
  seen(
    'countries.both-lists-never-offered',
    [LISTED, PUBLIC],
    'A method with both lists of countries is never offered.',
    (correct) => ({
      isOffered: (website, method) =>
        correct.isOffered(website, method) &&
        !(method.available_countries_from?.length && method.available_countries_to?.length),
    }),
  ),
  seen('countries.first-destination-only', LISTED, 'Only the first country of a list of destinations counts.', () => ({
    offeredTo: (method, country) => isFirst(method.available_countries_to, country),
  })),
  seen(
    'countries.first-ten-destinations-only',
    LISTED,
    'Of a list of destinations, only the first ten countries count.',
    (correct) => ({
      offeredTo: ({ available_countries_to: to, ...method }, country) =>
        correct.offeredTo({ ...method, available_countries_to: to?.slice(0, 10) ?? null }, country),
    }),
  ),
  seen(
    'countries.destinations-as-first-offered',
    [LISTED, 'delivery.countries.to-restricts', 'delivery.countries.unrestricted-offered', PUBLIC],
    'The destinations of a method are those that it had when it was first offered; updates do not count.',
    destinationsAsFirstOffered(() => true),
  ),
  seen(
    'countries.origin-as-destination',
    'delivery.countries.to-restricts',
    'A method may be shipped to the countries that it is offered in, as well as to its destinations.',
    (correct) => ({
      offeredTo: (method, country) =>
        correct.offeredTo(method, country) ||
        (method.available_countries_from ?? []).some((code) => code.toLowerCase() === country.toLowerCase()),
    }),
  ),
  seen(
    'countries.providers-to-all-destinations',
    PUBLIC,
    "A provider's methods are offered for every destination.",
    (correct) => ({ offeredTo: (method, country) => !isStores(method) || correct.offeredTo(method, country) }),
  ),
  seen(
    'countries.from-ignored',
    'delivery.countries.from-restricts',
    'A store’s own methods ignore the country of the store; those of providers do not.',
    (correct) => ({ offeredFrom: (method, country) => isStores(method) || correct.offeredFrom(method, country) }),
  ),
  seen(
    'countries.to-ignored',
    ['delivery.countries.to-restricts', PUBLIC],
    'Methods are offered for every destination.',
    () => ({
      offeredTo: () => true,
    }),
  ),
  seen(
    'countries.unrestricted-never-offered',
    'delivery.countries.unrestricted-offered',
    'A method without lists of countries is never offered.',
    (correct) => ({
      isOffered: (website, method) =>
        correct.isOffered(website, method) &&
        Boolean(method.available_countries_from?.length || method.available_countries_to?.length),
    }),
  ),
  seen(
    'countries.last-enabled-only',
    [LISTED, PUBLIC, 'delivery.countries.unrestricted-offered', 'delivery.countries.several-methods-offered'],
    'A store offers only the method that it enabled last.',
    () => ({ isOffered: (website, { handle }) => website.enabledMethods.at(-1) === handle }),
  ),
  {
    id: 'countries.equal-titles-once',
    clause: 'delivery.countries.several-methods-offered',
    about: 'Of the methods with one title, the checkout shows only the first.',
    surface: 'browser',
    http: pages((html) => {
      const known = new Set<string>();
      return html.replace(
        /<label class="check"><input type="radio" name="method"[^>]*><span>([^<]*)<small>[^<]*<\/small><\/span><\/label>/g,
        (label, title: string) => {
          if (known.has(title)) return '';
          known.add(title);
          return label;
        },
      );
    }),
  },
  seen(
    'countries.providers-everywhere',
    PUBLIC,
    'A provider’s methods are offered in stores of all countries.',
    (correct) => ({ offeredFrom: (method, country) => !isStores(method) || correct.offeredFrom(method, country) }),
  ),
  seen(
    'countries.providers-nowhere',
    PUBLIC,
    'A provider’s methods can be enabled, but are never offered.',
    (correct) => ({
      isOffered: (website, method) => isStores(method) && correct.isOffered(website, method),
    }),
  ),
  {
    id: 'countries.deleted-still-offered',
    clause: 'delivery.countries.deleted-not-offered',
    about: 'The checkout offers a method that it has offered before, even if it was deleted.',
    surface: 'browser',
    http: offersDeleted(isStores),
  },
  {
    id: 'countries.deleted-of-providers-offered',
    clause: 'delivery.countries.deleted-not-offered',
    about: 'The checkout offers a provider’s method that it has offered before, even if it was deleted.',
    surface: 'browser',
    http: offersDeleted((method) => !isStores(method)),
  },
  seen(
    'countries.methods-of-all-stores',
    'delivery.countries.not-offered-in-other-stores',
    'A checkout offers the methods of all stores, whether they are enabled or not.',
    () => ({ isOffered: () => true, availableTo: () => true }),
  ),
  seen(
    'countries.removed-lists-remain',
    'delivery.countries.unrestricted-offered',
    'A list of destinations that was removed still restricts a method at checkout.',
    (correct) => {
      const former = new Map<string, Method['available_countries_to']>();
      return {
        offeredTo: (method, country) => {
          if (method.available_countries_to?.length) former.set(method.handle, method.available_countries_to);
          const available_countries_to = former.get(method.handle) ?? method.available_countries_to;
          return correct.offeredTo({ ...method, available_countries_to }, country);
        },
      };
    },
  ),
  seen(
    'countries.removed-store-countries-remain',
    'delivery.countries.unrestricted-offered',
    'A list of store countries that was removed still restricts a method at checkout.',
    (correct) => {
      const former = new Map<string, Method['available_countries_from']>();
      return {
        offeredFrom: (method, country) => {
          if (method.available_countries_from?.length) former.set(method.handle, method.available_countries_from);
          const available_countries_from = former.get(method.handle) ?? method.available_countries_from;
          return correct.offeredFrom({ ...method, available_countries_from }, country);
        },
      };
    },
  ),
];
