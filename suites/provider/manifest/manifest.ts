/** The provider manifest: each rule of the spec is a check, every fault is named by its pointer and line. */

import type { ManifestFault } from '../../../contracts/manifests/index.ts';
import { isJsonObject } from '../../../contracts/run/fault.ts';
import type { CheckTitle } from '../../../harness/check/facts.ts';
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

const vendorField = (id: string, name: string): Row => ({
  id,
  title: `MUST name the vendor’s ${name}`,
  holds: must(`/app_vendor/${name}`),
});

const dataField = (id: string, name: string, says: string): Row => ({
  id,
  title: `MUST ${says}`,
  holds: must(`/delivery_api_data_fields/*/${name}`),
});

/** Whoever owns a fault: exactly one row holds each. */
const ROWS: readonly Row[] = [
  {
    id: 'provider.manifest.app-type',
    title: 'MUST have DELIVERY_SERVICE as app_type',
    holds: (fault) => must('/app_type')(fault) || mustAt('')(fault),
  },
  { id: 'provider.manifest.app-title', title: 'MUST have an app_title that is one string', holds: must('/app_title') },
  { id: 'provider.manifest.vendor', title: 'MUST have app_vendor as an object', holds: mustAt('/app_vendor') },
  vendorField('provider.manifest.vendor-company-name', 'company_name'),
  vendorField('provider.manifest.vendor-support-email', 'support_email'),
  vendorField('provider.manifest.vendor-support-phone', 'support_phone'),
  vendorField('provider.manifest.vendor-developer-email', 'developer_email'),
  {
    id: 'provider.manifest.data-fields',
    title: 'MUST give delivery_api_data_fields, if at all, as a list of objects',
    holds: (fault) => mustAt('/delivery_api_data_fields(?:/*)?')(fault),
  },
  dataField('provider.manifest.data-field-id', 'id', 'give each data field an id that is a string'),
  dataField(
    'provider.manifest.data-field-title',
    'title',
    'give each data field a title, as a text or one text per language',
  ),
  dataField(
    'provider.manifest.data-field-type',
    'type',
    'give each data field one of the types text, password, checkbox and email',
  ),
  dataField(
    'provider.manifest.data-field-required',
    'required',
    'say whether a data field is required, if at all, with true or false',
  ),
  {
    id: 'provider.manifest.service-info',
    title: 'MUST give delivery_service_info, if at all, as an object',
    holds: mustAt('/delivery_service_info'),
  },
  {
    id: 'provider.manifest.info-url',
    title: 'MUST give info_url, if at all, as an address or one address per language',
    holds: must('/delivery_service_info/info_url'),
  },
  {
    id: 'provider.manifest.texts-not-empty',
    title: 'SHOULD leave no text of the manifest empty',
    holds: should('manifest.text.empty'),
  },
  {
    id: 'provider.manifest.data-field-ids-differ',
    title: 'SHOULD give each data field an id that no other field of the label request has',
    holds: should('manifest.data-field-ids-unique', 'manifest.data-field-id-taken'),
  },
];

const EMAILS: Row = {
  id: 'provider.manifest.valid-email-addresses',
  title: 'SHOULD have syntactically valid e-mail addresses',
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
    deliveryCheck(id, title, { clauses: [id], needs: [] }, async (context) =>
      expectNoFaults(context, context.session.provider.faults.filter(holds)),
    ),
  ),
  deliveryCheck(
    EMAILS.id,
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
