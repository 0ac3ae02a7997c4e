/** The service's part in printing labels and in dynamic checkouts, taken from the embedded mock. */

import { randomBytes } from 'node:crypto';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { type Fields, LABEL_REQUEST_FIELDS, SIGNATURE_FIELD } from '../../../contracts/signing/index.ts';
import { NEW_METHOD } from '../../../mock/fixtures/delivery.ts';
import { defaultFixtures, type Fixtures } from '../../../mock/fixtures/fixtures.ts';
import { PlainRequest, responseOf } from '../../../mock/http/messages.ts';
import { startDynamicCheckout } from '../../../mock/orders/checkout.ts';
import { LABEL_CALLBACK_PATH, pressPrintLabel, serveLabelCallback } from '../../../mock/orders/labels.ts';
import { ORDER_KINDS, type OrderKind, placeOrder } from '../../../mock/orders/orders.ts';
import type { DataField, FieldValue, Method, Provider, ProviderManifest, Website } from '../../../mock/state/state.ts';
import type {
  DeliveryCounterpart,
  HandOver,
  LabelRequest,
  ProviderUnderTest,
} from '../../../suites/provider/session.ts';
import { HAND_OVER_PATH } from '../../../suites/provider/steps/documents/index.ts';
import { mixedCase, similarIds, similarUuids } from '../counterpart/ids.ts';
import type { OpenCounterpart } from '../counterpart/index.ts';
import { failOnePortion } from './failing-portion.ts';

const PROVIDER_ID = 7900;
const WEBSITE_ID = 55001;
/** A store with values of its own in the settings form. */
const OTHER_WEBSITE_ID = 55002;
const STORES: readonly number[] = [WEBSITE_ID, OTHER_WEBSITE_ID];
/** Both stores are of one company: only their names tell them apart, and what else a page goes by mixes them up. */
const OF_ONE_COMPANY = companyOf(defaultFixtures.websites.find(({ id }) => id === WEBSITE_ID));
const REQUEST_ID_PREFIX = 'lr_';
/** With the prefix as long as a UUID. */
const REQUEST_ID_CHARACTERS = 36 - REQUEST_ID_PREFIX.length;
const TOKEN_CHARACTERS = 18;
const HANDLES = { label: 'precheck-courier', points: 'precheck-lockers', checkout: 'precheck-dynamic' } as const;

/** Every language that has a code of two letters: a delivery provider serves stores of all of them. */
const LANGUAGES: readonly string[] = [...letters()].filter(
  (code) => new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(code) !== undefined,
);

function* letters(): Generator<string> {
  for (let one = 97; one < 123; one += 1)
    for (let other = 97; other < 123; other += 1) yield String.fromCharCode(one, other);
}

function companyOf(website: Website | undefined): Partial<Website> {
  if (website === undefined) throw new Error(`The website ${WEBSITE_ID}, whose labels are printed, is missing.`);
  const { country, currency, seller, languages, defaultLanguage } = website;
  return { country, currency, seller, languages, defaultLanguage };
}

/** What the service begins with has to know of the integration. A private one belongs to a store, and has that store's key. */
type Beginning = Pick<ProviderUnderTest, 'labelUrl' | 'apiKey'> & { readonly isPrivate: boolean };

/** What the service begins with: one delivery provider, or one store, with its methods. A manifest is not known yet. */
export function deliveryFixtures(integration: Beginning): Fixtures {
  const { isPrivate, apiKey } = integration;
  const stores = isPrivate ? [WEBSITE_ID] : STORES;
  return {
    ...defaultFixtures,
    apps: [],
    installations: [],
    orders: [],
    dynamicCheckouts: [],
    websites: defaultFixtures.websites.map((website) => ({
      ...website,
      ...(website.id === OTHER_WEBSITE_ID ? OF_ONE_COMPANY : {}),
      ...(isPrivate && website.id === WEBSITE_ID ? { apiKey: apiKey.reveal() } : {}),
      enabledMethods: stores.includes(website.id) ? Object.values(HANDLES) : [],
      deliverySettings: stores.includes(website.id) && !isPrivate ? { [PROVIDER_ID]: {} } : {},
    })),
    providers: isPrivate ? [] : [rowOf({ apiKey, manifest: undefined })],
    methods: methodsOf(integration),
    points: { [HANDLES.points]: defaultFixtures.points['parcel-lockers'] ?? [] },
  };
}

/** Takes the manifest into the service, whatever it is worth, and has the admin of each store fill in its form. */
export function registerProvider({ service }: OpenCounterpart, provider: ProviderUnderTest): void {
  if (provider.manifest === undefined) return;
  const settingsOf = (values: typeof VALUES): Record<string, FieldValue> =>
    Object.fromEntries(dataFieldsOf(provider).map((field) => [field.id, valueFor(field, values)]));
  service.change(() => {
    service.state.providers.set(String(PROVIDER_ID), rowOf(provider));
    for (const [id, values] of [
      [WEBSITE_ID, VALUES],
      [OTHER_WEBSITE_ID, OTHER_VALUES],
    ] as const)
      service.state.websites.patch(String(id), { deliverySettings: { [PROVIDER_ID]: settingsOf(values) } });
  });
}

type Manifested = Pick<ProviderUnderTest, 'manifest' | 'apiKey'>;

function rowOf(provider: Manifested): Provider {
  return {
    id: PROVIDER_ID,
    apiKey: provider.apiKey.reveal(),
    keyShown: true,
    status: 'approved',
    languages: LANGUAGES,
    defaultLanguage: 'en',
    manifest: usableManifest(provider),
    checkoutUrl: null,
  };
}

/** What the mock needs of a manifest, where the integration's own has it. */
function usableManifest(provider: Manifested): ProviderManifest {
  const { app_title: title, app_vendor: vendor } = provider.manifest?.value ?? {};
  return {
    app_type: 'DELIVERY_SERVICE',
    app_title: typeof title === 'string' && title.trim() !== '' ? title : 'Integration under test',
    app_vendor: isJsonObject(vendor) ? vendor : {},
    delivery_api_data_fields: dataFieldsOf(provider),
  };
}

function dataFieldsOf({ manifest }: Manifested): DataField[] {
  const list = manifest?.value.delivery_api_data_fields;
  const taken = new Set<string>([...LABEL_REQUEST_FIELDS, SIGNATURE_FIELD]);
  return (Array.isArray(list) ? list : []).flatMap((field): DataField[] => {
    if (!isJsonObject(field) || typeof field.id !== 'string' || field.id === '' || taken.has(field.id)) return [];
    taken.add(field.id);
    const type = (['text', 'password', 'checkbox', 'email'] as const).find((known) => known === field.type) ?? 'text';
    return [{ id: field.id, title: field.id, type, required: field.required === true }];
  });
}

/** None of them is the value of another field: the password is taken out of what is shown, wherever it occurs. */
const VALUES = { text: 'C-7741836', email: 'store@shop.example', password: 'Locker-58-door' };
const OTHER_VALUES = { text: 'C-1250927', email: 'books@shop.example', password: 'Shelf-91-lamp' };

const valueFor = ({ type }: DataField, values: typeof VALUES): FieldValue =>
  type === 'checkbox' ? true : (values[type as keyof typeof VALUES] ?? values.text);

function methodsOf({ isPrivate, labelUrl }: Pick<Beginning, 'isPrivate' | 'labelUrl'>): Method[] {
  return Object.values(HANDLES).map((handle, at) => ({
    ...NEW_METHOD,
    handle,
    number: at + 1,
    owner: isPrivate ? `website:${WEBSITE_ID}` : `provider:${PROVIDER_ID}`,
    name: `Precheck ${handle.slice('precheck-'.length)}`,
    title: { en: 'Courier to the door', lv: 'Kurjers līdz durvīm' },
    reference: 'PRECHECK-1',
    print_label_url: labelUrl,
  }));
}

/** The label requests of the service, each with a callback address of its own, so that what comes back can be distinguished. */
function recordIssued({ rules }: OpenCounterpart['service']) {
  const issued: LabelRequest[] = [];
  const asUsual = (usual: string): string => usual;
  let idFrom = asUsual;
  const newId = similarIds(REQUEST_ID_CHARACTERS);
  rules.newRequestId = () => idFrom(`${REQUEST_ID_PREFIX}${newId()}`);
  rules.newOrderUuid = similarUuids();
  const { labelFields } = rules;
  rules.labelFields = (context) => {
    const token = mixedCase(TOKEN_CHARACTERS);
    const fields = labelFields({ ...context, callbackUrl: `${context.callbackUrl}${token}/` });
    issued.push({
      token,
      id: context.requestId,
      fields: fields.map(([name, value]) => [name, rules.transmitted(value)] as const),
    });
    return fields;
  };
  return {
    issued,
    /** Makes the ids of the requests that are issued meanwhile from the usual ones. */
    withIds: <T>(make: ((usual: string) => string) | undefined, issue: () => T): T => {
      idFrom = make ?? asUsual;
      try {
        return issue();
      } finally {
        idFrom = asUsual;
      }
    },
  };
}

/** Serves the callbacks, whose addresses continue after the path of the service's own. */
function serveCallbacks(counterpart: OpenCounterpart): void {
  counterpart.interfere(({ path, method, query }) => {
    if (!path.startsWith(LABEL_CALLBACK_PATH) || path === LABEL_CALLBACK_PATH) return undefined;
    const callback = {
      method,
      target: `${LABEL_CALLBACK_PATH}?${query}`,
      headers: new Headers(),
      body: new Uint8Array(),
    };
    const request = new PlainRequest({ ...callback, origin: counterpart.origin });
    return Promise.resolve(responseOf(serveLabelCallback(counterpart.service, request)));
  });
}

/** Pages that post a form to the integration, each under an address of its own. */
function serveForms(counterpart: OpenCounterpart): DeliveryCounterpart['handOver'] {
  const forms = new Map<string, string>();
  counterpart.show((path) => {
    const page = path.startsWith(HAND_OVER_PATH) ? forms.get(path.slice(HAND_OVER_PATH.length)) : undefined;
    return page === undefined
      ? undefined
      : new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } });
  });
  return (action, fields, how = {}) => {
    const id = randomBytes(9).toString('hex');
    forms.set(id, formPage(action, fields, how));
    return `${counterpart.pagesOrigin}${HAND_OVER_PATH}${id}`;
  };
}

/** The integration may have deleted or changed what is the service's to test with. */
function restoreMethods(
  service: OpenCounterpart['service'],
  beginning: Pick<Beginning, 'isPrivate' | 'labelUrl'>,
): void {
  for (const method of methodsOf(beginning)) {
    const now = service.state.methods.get(method.handle);
    if (now?.print_label_url === method.print_label_url) continue;
    service.change(() => service.state.methods.set(method.handle, method));
  }
  const points = service.state.points.of(HANDLES.points);
  if (points.slice(null, 1, false).length === 0)
    service.change(() => points.rewrite(defaultFixtures.points['parcel-lockers'] ?? []));
}

/** The counterpart of a delivery provider: the service, and its requests without a browser. */
export function deliveryCounterpart(counterpart: OpenCounterpart, provider: ProviderUnderTest): DeliveryCounterpart {
  const { service } = counterpart;
  const isPrivate = provider.manifest === undefined;
  const { issued, withIds } = recordIssued(service);
  serveCallbacks(counterpart);
  counterpart.interfere(failOnePortion());
  const handOver = serveForms(counterpart);

  const restore = (): void => restoreMethods(service, { ...provider, isPrivate });
  const pressed = (orderUuid: string): LabelRequest => {
    pressPrintLabel(service, orderUuid);
    return issued.at(-1) as LabelRequest;
  };
  const website = service.state.websites.get(String(WEBSITE_ID));
  const enteredIn = (id: number): Fields =>
    Object.entries(service.state.websites.get(String(id))?.deliverySettings[String(PROVIDER_ID)] ?? {}).map(
      ([name, value]) => [name, value === true ? '1' : String(value)] as const,
    );

  return Object.assign(Object.create(counterpart) as OpenCounterpart, {
    handles: HANDLES,
    issued,
    orderKinds: Object.keys(ORDER_KINDS),
    hasOtherStore: !isPrivate,
    settings: enteredIn(WEBSITE_ID),
    otherSettings: enteredIn(OTHER_WEBSITE_ID),
    passwordFields: dataFieldsOf(provider).flatMap(({ id, type }) => (type === 'password' ? [id] : [])),
    languages: [...new Set([...(website?.languages ?? []), ...LANGUAGES])],
    labelRequest: (wish = {}) => {
      restore();
      const kind = (wish.kind ?? 'address') as OrderKind;
      const handle = kind === 'pickup-point' ? HANDLES.points : HANDLES.label;
      const order = placeOrder(service, {
        websiteId: wish.isOfOtherStore ? OTHER_WEBSITE_ID : WEBSITE_ID,
        handle,
        kind,
        ...(wish.language === undefined ? {} : { language: wish.language }),
      });
      return withIds(wish.idFrom, () => pressed(order.uuid));
    },
    labelRequestAgain: ({ fields }) => {
      restore();
      return pressed(fields.find(([name]) => name === 'order_uuid')?.[1] ?? '');
    },
    checkoutRequest: () => {
      restore();
      const { checkoutUrl } = provider;
      const handle = HANDLES.checkout;
      if (checkoutUrl !== undefined)
        service.change(() => service.state.dynamicCheckouts.set(handle, { handle, checkoutUrl }));
      const { fields } = startDynamicCheckout(service, { websiteId: WEBSITE_ID, handle, destinationCountry: 'LV' });
      return fields.filter(([name]) => name !== SIGNATURE_FIELD);
    },
    handOver,
  } satisfies Omit<DeliveryCounterpart, keyof OpenCounterpart>);
}

/** A page that posts a form at once, as the service's own does after a press. */
function formPage(
  action: string,
  fields: readonly (readonly [string, string])[],
  { isMultipart = false, isBare = false }: HandOver,
): string {
  const inputs = fields.map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8">${isBare ? '<meta name="referrer" content="no-referrer">' : ''}<title>One moment</title>
<form method="post" action="${escaped(action)}"${isMultipart ? ' enctype="multipart/form-data"' : ''} accept-charset="utf-8">${inputs.join('')}</form>
<script>HTMLFormElement.prototype.submit.call(document.forms[0])</script></html>`;
}

const escaped = (text: string): string => text.replace(/[&<>"'\r\n\t]/g, (sign) => `&#${sign.charCodeAt(0)};`);
