/** For tests: a label request and its callback, in a few words. */
import { type Fields, withSignature } from '../../signing/index.ts';
import { type ExchangeDescription, encoded, KEY } from '../traffic.fixture.ts';

export const KEYS = { API_KEY: KEY };
export const FORM = [['content-type', 'application/x-www-form-urlencoded']] as const;
export const LABEL_PAGE = 'https://carrier.test/label';
export const CALLBACK = 'https://service.test/label_callback/';

export const FIELDS: Readonly<Record<string, string>> = {
  label_request_id: 'lr-1',
  order_uuid: '5a0e1c52-2f0b-4a3f-9d1c-7b1c5b8f1a10',
  invoice_id: 'INV-1',
  delivery_method_handle: 'm-1',
  delivery_method_name: 'Locker',
  delivery_method_title: 'Parcel locker',
  delivery_method_reference: 'locker',
  amount: '24.90',
  currency: 'EUR',
  seller_name: 'Shop & Co',
  seller_id: '',
  seller_vat: '',
  seller_address: '',
  seller_country: 'LV',
  shipping_first_name: 'Anna',
  shipping_last_name: 'Bērziņa',
  shipping_company: '',
  shipping_company_id: '',
  shipping_company_vat: '',
  shipping_email: 'anna@buyer.test',
  shipping_street: 'Brīvības 1\r\nApt. 2',
  shipping_city: 'Rīga',
  shipping_state: '',
  shipping_zip: 'LV-1050',
  shipping_country_code: 'lv',
  cart: '[{"id":1}]',
  weight: '0',
  language_code: 'lv',
  website_alias: 'shop',
  website_domain: 'shop.test',
  callback_url: CALLBACK,
};

/** A label request; a change of undefined leaves the field out. */
export function labelRequest(
  changes: Readonly<Record<string, string | undefined>> = {},
  signed = true,
): ExchangeDescription {
  const fields = Object.entries({ ...FIELDS, ...changes }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const body = encoded(signed ? withSignature(fields, KEY) : fields);
  return { method: 'POST', url: LABEL_PAGE, headers: FORM, body, response: '<p>Label</p>', responseHeaders: [] };
}

export function callback(fields: Fields, init: Partial<ExchangeDescription> = {}): ExchangeDescription {
  return { url: `${CALLBACK}?${encoded(fields)}`, headers: [], response: '', responseHeaders: [], ...init };
}

export const SUCCESS: Fields = [
  ['label_request_id', 'lr-1'],
  ['label_url', 'https://carrier.test/1.pdf'],
];
export const TRACKED: Fields = [...SUCCESS, ['tracking_url', 'https://carrier.test/t'], ['tracking_code', 'CC1']];
