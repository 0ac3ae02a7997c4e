/** The provider manifest: each rule of the spec is a check, every fault is named by its pointer and line. */

import type { ManifestFault } from '../../../contracts/manifests/index.ts';
import { isJsonObject } from '../../../contracts/run/fault.ts';
import type { CheckTitle } from '../../../harness/check/check.ts';
import { inParallel } from '../../../harness/integrator/until.ts';
import { NoAnswer } from '../../../harness/target/client/no-response.ts';
import { type DeliveryCheck, type DeliveryContext, deliveryCheck } from '../session.ts';

interface Row {
  readonly id: string;
  readonly title: CheckTitle;
  readonly holds: (fault: ManifestFault) => boolean;
}

/** Faults at a place and below it that break the contract. `*` stands for any number. */
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

const vendorField = (name: string): Row => ({
  id: `vendor-${name.replaceAll('_', '-')}`,
  title: `MUST name the vendor’s ${name}`,
  holds: must(`/app_vendor/${name}`),
});

const dataField = (name: string, says: string): Row => ({
  id: `data-field-${name}`,
  title: `MUST ${says}`,
  holds: must(`/delivery_api_data_fields/*/${name}`),
});

/** Whoever owns a fault: exactly one row holds each. The ids are those of the clauses. */
const ROWS: readonly Row[] = [
  {
    id: 'app-type',
    title: 'MUST have DELIVERY_SERVICE as app_type',
    holds: (fault) => must('/app_type')(fault) || mustAt('')(fault),
  },
  { id: 'app-title', title: 'MUST have an app_title that is one string', holds: must('/app_title') },
  { id: 'vendor', title: 'MUST have app_vendor as an object', holds: mustAt('/app_vendor') },
  vendorField('company_name'),
  vendorField('support_email'),
  vendorField('support_phone'),
  vendorField('developer_email'),
  {
    id: 'data-fields',
    title: 'MUST give delivery_api_data_fields, if at all, as a list of objects',
    holds: (fault) => mustAt('/delivery_api_data_fields(?:/*)?')(fault),
  },
  dataField('id', 'give each data field an id that is a string'),
  dataField('title', 'give each data field a title, as a text or one text per language'),
  dataField('type', 'give each data field one of the types text, password, checkbox and email'),
  dataField('required', 'say whether a data field is required, if at all, with true or false'),
  {
    id: 'service-info',
    title: 'MUST give delivery_service_info, if at all, as an object',
    holds: mustAt('/delivery_service_info'),
  },
  {
    id: 'info-url',
    title: 'MUST give info_url, if at all, as an address or one address per language',
    holds: must('/delivery_service_info/info_url'),
  },
  {
    id: 'texts-not-empty',
    title: 'SHOULD leave no text of the manifest empty',
    holds: should('manifest.text.empty'),
  },
  {
    id: 'data-field-ids-differ',
    title: 'SHOULD give each data field an id that no other field of the label request has',
    holds: should('manifest.data-field-ids-unique', 'manifest.data-field-id-taken'),
  },
];

const EMAILS: Row = {
  id: 'emails-can-be-written-to',
  title: 'SHOULD name e-mail addresses that look like such',
  holds: should('manifest.email'),
};

const isAddressAdvice = should('manifest.url', 'manifest.https');

function expectNoFaults(context: DeliveryContext, faults: readonly Pick<ManifestFault, 'pointer' | 'message'>[]): void {
  const { provider } = context.session;
  const [first] = faults;
  const says = faults.map(
    ({ pointer, message }) =>
      `line ${provider.lineOf(pointer)}, ${pointer === '' ? 'the whole manifest' : pointer}: ${message}`,
  );
  context.expect.that(first === undefined, says.join(' '), first === undefined ? {} : { pointer: first.pointer });
}

/** More languages than these need not be visited. */
const MOST_VISITED = 10;

export const checks: readonly DeliveryCheck[] = [
  ...ROWS.map(({ id, title, holds }) =>
    deliveryCheck(
      `provider.manifest.${id}`,
      title,
      { clauses: [`manifests.provider.${id}`], needs: [] },
      async (context) => expectNoFaults(context, context.session.provider.faults.filter(holds)),
    ),
  ),
  deliveryCheck(
    `provider.manifest.${EMAILS.id}`,
    EMAILS.title,
    { clauses: ['provider.manifest.vendor-developer-email', 'provider.manifest.vendor-support-email'], needs: [] },
    async (context) => expectNoFaults(context, context.session.provider.faults.filter(EMAILS.holds)),
  ),
  deliveryCheck(
    'provider.manifest.info-url-https',
    'SHOULD have an info_url that is https and can be reached',
    { clauses: ['provider.manifest.info-url-https'], needs: [] },
    async (context) => {
      const advice = context.session.provider.faults.filter(isAddressAdvice);
      const visited = infoAddresses(context).filter(
        ({ pointer }) => !advice.some((fault) => fault.pointer === pointer),
      );
      const lost = await inParallel(visited.slice(0, MOST_VISITED), 4, async ({ url, pointer }) => {
        const why = await unreachable(context, url);
        return why === undefined ? [] : [{ pointer, message: `${url} can't be reached: ${why}` }];
      });
      expectNoFaults(context, [...advice, ...lost.flat()]);
    },
  ),
];

/** Faults that no check would report; there must be none. */
export const unowned = (faults: readonly ManifestFault[]): ManifestFault[] =>
  faults.filter((fault) => ![...ROWS, EMAILS].some(({ holds }) => holds(fault)) && !isAddressAdvice(fault));

function infoAddresses({ session }: DeliveryContext): { url: string; pointer: string }[] {
  const info = session.provider.manifest.delivery_service_info;
  const value = isJsonObject(info) ? info.info_url : undefined;
  const pointer = '/delivery_service_info/info_url';
  const texts = isJsonObject(value)
    ? Object.entries(value).map(([language, url]) => ({ url, pointer: `${pointer}/${language}` }))
    : [{ url: value, pointer }];
  return texts.filter((one): one is { url: string; pointer: string } => typeof one.url === 'string' && one.url !== '');
}

async function unreachable({ session }: DeliveryContext, url: string): Promise<string | undefined> {
  try {
    const { status } = await session.fetcher.fetch(url, { role: 'info page' });
    return status >= 400 ? `it is answered with status ${status}` : undefined;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return error.message;
  }
}
