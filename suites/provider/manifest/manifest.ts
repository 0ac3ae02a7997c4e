/** The provider manifest: each rule of the spec is a check, every fault is named by its pointer and line. */

import { PROVIDER_MANIFEST, placeIn, placesOf } from '../../../contracts/fields/catalogue/manifests.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import type { ManifestFault } from '../../../contracts/manifests/index.ts';
import type { CheckTitle } from '../../../harness/check/facts.ts';
import { Skipped } from '../../../harness/check/failures.ts';
import { lostAddresses } from '../../../harness/integrator/fetch/lost-addresses.ts';
import { type DeliveryCheck, type DeliveryContext, deliveryCheck, type ProviderManifest } from '../session.ts';

interface Row {
  readonly id: string;
  readonly title: CheckTitle;
  readonly holds: (fault: ManifestFault) => boolean;
}

/** Faults at a place and below it that break the contract. `*` matches any number. */
const must =
  (place: string) =>
  ({ level, pointer }: ManifestFault): boolean =>
    level === 'MUST' && new RegExp(`^${place.replaceAll('*', '\\d+')}(?:/|$)`).test(pointer);

/** The same, at the place alone. */
const mustAt =
  (place: string) =>
  ({ level, pointer }: ManifestFault): boolean =>
    level === 'MUST' && new RegExp(`^${place.replaceAll('*', '\\d+')}$`).test(pointer);

const should =
  (...rules: string[]) =>
  ({ level, rule }: ManifestFault): boolean =>
    level === 'SHOULD' && rules.includes(rule);

const PLACES = placesOf(PROVIDER_MANIFEST);

/** The field whose presence and form the clause of this id states, with all that is in it. */
const field = (id: string, says: string): Row => ({
  ...{ id, title: `MUST ${says}` },
  holds: must(placeIn(PLACES, id)),
});

/** The same of a field with clauses for what is in it. */
const outer = (id: string, says: string): Row => ({
  ...{ id, title: `MUST ${says}` },
  holds: mustAt(placeIn(PLACES, id)),
});

/** The owner of a fault: exactly one row holds each. */
const ROWS: readonly Row[] = [
  {
    id: 'provider.manifest.app-type',
    title: 'MUST have the app_type DELIVERY_SERVICE',
    holds: (fault) => must(placeIn(PLACES, 'provider.manifest.app-type'))(fault) || mustAt('')(fault),
  },
  field('provider.manifest.app-title', 'have app_title as a string'),
  outer('provider.manifest.vendor', 'have app_vendor as an object'),
  field('provider.manifest.vendor-company-name', "have the vendor's company_name"),
  field('provider.manifest.vendor-support-email', "have the vendor's support_email"),
  field('provider.manifest.vendor-support-phone', "have the vendor's support_phone"),
  field('provider.manifest.vendor-developer-email', "have the vendor's developer_email"),
  {
    id: 'provider.manifest.data-fields',
    title: 'MUST have delivery_api_data_fields, if present, as a list of objects',
    holds: mustAt(`${placeIn(PLACES, 'provider.manifest.data-fields')}(?:/*)?`),
  },
  field('provider.manifest.data-field-id', 'have the id of each data field as a string'),
  field(
    'provider.manifest.data-field-title',
    'have the title of each data field as a string or one string per language',
  ),
  field('provider.manifest.data-field-type', 'have the type of each data field as text, password, checkbox or email'),
  field('provider.manifest.data-field-required', 'have the required flag of a data field, if present, as a boolean'),
  outer('provider.manifest.service-info', 'have delivery_service_info, if present, as an object'),
  field('provider.manifest.info-url', 'have info_url, if present, as an address or one address per language'),
  {
    id: 'provider.manifest.texts-not-empty',
    title: 'SHOULD NOT leave a text of the manifest empty',
    holds: should('manifest.text.empty'),
  },
  {
    id: 'provider.manifest.data-field-ids-distinct',
    title: 'SHOULD have data field ids that no field of the label request uses',
    holds: should('manifest.data-field-ids-unique', 'manifest.data-field-id-taken'),
  },
];

const EMAILS: Row = {
  id: 'provider.manifest.valid-email-addresses',
  title: 'SHOULD have syntactically valid e-mail addresses',
  holds: should('manifest.email'),
};

const isAddressAdvice = should('manifest.url', 'manifest.https');

/** The manifest of a public integration; a check that needs it does not run on a private one. */
function manifestOf({ session }: DeliveryContext): ProviderManifest {
  const { manifest } = session.provider;
  if (manifest === undefined) throw new Skipped('a private integration has no manifest');
  return manifest;
}

function expectNoFaults(context: DeliveryContext, faults: readonly Pick<ManifestFault, 'pointer' | 'message'>[]): void {
  const { lineOf } = manifestOf(context);
  const [first] = faults;
  const says = faults.map(
    ({ pointer, message }) => `line ${lineOf(pointer)}, ${pointer === '' ? 'the whole manifest' : pointer}: ${message}`,
  );
  context.expect.that(first === undefined, says.join(' '), first === undefined ? {} : { pointer: first.pointer });
}

/** More languages than these need not be visited. */
const MAX_VISITED = 10;

export const checks: readonly DeliveryCheck[] = [
  ...ROWS.map(({ id, title, holds }) =>
    deliveryCheck(id, title, { clauses: [id], needs: [] }, async (context) =>
      expectNoFaults(context, manifestOf(context).faults.filter(holds)),
    ),
  ),
  deliveryCheck(
    EMAILS.id,
    EMAILS.title,
    { clauses: ['provider.manifest.vendor-developer-email', 'provider.manifest.vendor-support-email'], needs: [] },
    async (context) => expectNoFaults(context, manifestOf(context).faults.filter(EMAILS.holds)),
  ),
  deliveryCheck(
    'provider.manifest.info-url-https',
    'SHOULD have info_url as a reachable https address',
    { clauses: ['provider.manifest.info-url-https'], needs: [] },
    async (context) => {
      const advice = manifestOf(context).faults.filter(isAddressAdvice);
      const visited = infoAddresses(context).filter(
        ({ pointer }) => !advice.some((fault) => fault.pointer === pointer),
      );
      const some = visited.slice(0, MAX_VISITED);
      const why = await lostAddresses(
        context.session.fetcher,
        some.map(({ url }) => url),
        { role: 'info page' },
      );
      const lost = some.flatMap(({ url, pointer }) =>
        why.has(url) ? [{ pointer, message: `${url} can't be reached: ${why.get(url)}` }] : [],
      );
      expectNoFaults(context, [...advice, ...lost]);
    },
  ),
];

/** Faults that no check would report; a test expects an empty list. */
export const unreportedFaults = (faults: readonly ManifestFault[]): ManifestFault[] =>
  faults.filter((fault) => ![...ROWS, EMAILS].some(({ holds }) => holds(fault)) && !isAddressAdvice(fault));

function infoAddresses(context: DeliveryContext): { url: string; pointer: string }[] {
  const info = manifestOf(context).value.delivery_service_info;
  const value = isJsonObject(info) ? info.info_url : undefined;
  const pointer = '/delivery_service_info/info_url';
  const texts = isJsonObject(value)
    ? Object.entries(value).map(([language, url]) => ({ url, pointer: `${pointer}/${language}` }))
    : [{ url: value, pointer }];
  return texts.filter((one): one is { url: string; pointer: string } => typeof one.url === 'string' && one.url !== '');
}
