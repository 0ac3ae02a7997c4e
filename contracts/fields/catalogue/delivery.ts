/** Fields of the Delivery interface (spec: Resources and their fields, Delivery method; Pickup point; Custom field values). */
import type { components } from '../../generated/v1.generated.ts';
import { type Fields, keptClausesOf, type Writable, type WritableRows, writableOf } from './row.ts';

type Schemas = components['schemas'];

export const METHOD = {
  handle: { kind: 'id', form: 'delivery.method.handle-string' },
  name: { kind: 'text', form: 'delivery.method.name-string' },
  title: { kind: 'multilanguage', form: 'delivery.multilanguage.shape', kept: 'delivery.method.title-kept' },
  reference: { kind: 'text', form: 'delivery.method.reference-kept', kept: 'delivery.method.reference-kept' },
  available_countries_from: {
    kind: 'countries',
    form: 'delivery.method.country-lists-are-codes',
    kept: 'delivery.method.countries-from-kept',
    samples: [['LV'], ['EE', 'LT']],
  },
  available_countries_to: {
    kind: 'countries',
    form: 'delivery.method.country-lists-are-codes',
    kept: 'delivery.method.countries-to-kept',
    samples: [
      ['EE', 'LV'],
      ['LT', 'LV'],
    ],
  },
  print_label_url: {
    kind: 'address',
    form: 'delivery.method.print-label-url-kept',
    kept: 'delivery.method.print-label-url-kept',
    isEcho: true,
    samples: ['https://example.com/label', 'https://www.example.org/print?kind=a4&of=%C4%80'],
  },
} as const satisfies Fields<keyof Schemas['DeliveryMethod']> & WritableRows<keyof Schemas['DeliveryMethodInput']>;

export const POINT = {
  id: { kind: 'id', form: 'delivery.point.id-kept' },
  title: { kind: 'multilanguage', form: 'delivery.multilanguage.shape', kept: 'delivery.point.title-kept' },
  address: {
    ...{ kind: 'text', form: 'delivery.point.address-kept', kept: 'delivery.point.address-kept' },
    samples: ['Station Square 2', 'Nēģu iela 7, ieeja "B"'],
  },
  city: {
    ...{ kind: 'text', form: 'delivery.point.city-kept', kept: 'delivery.point.city-kept' },
    samples: ['Tallinn', 'Rīga'],
  },
  zip: {
    ...{ kind: 'text', form: 'delivery.point.zip-kept', kept: 'delivery.point.zip-kept' },
    samples: ['01015', 'LV-1050'],
  },
  country: {
    ...{ kind: 'country', form: 'delivery.point.country-is-code', kept: 'delivery.point.country-kept' },
    samples: ['EE', 'LV'],
  },
  attributes: {
    ...{ kind: 'object', form: 'delivery.point.attributes-shape', kept: 'delivery.point.attributes-object-kept' },
    samples: [
      { terminal: '3', size: { max: 'M', cm: [10, 20] }, open: true },
      { terminal: '17', size: { max: 'XL', cm: [40, 60.5] }, cold: false },
    ],
  },
} as const satisfies Fields<keyof Schemas['PickupPoint']>;

export const PROVIDER_SETTINGS = {
  fields: { kind: 'object', form: 'delivery.settings.returns-fields' },
} as const satisfies Fields;

export type MethodField = Writable<typeof METHOD>;
export type PointField = Writable<typeof POINT>;

/** The fields of a method that clients can write: those of the document of their requests, and no others. */
export const METHOD_FIELDS: ReadonlyArray<MethodField & keyof Schemas['DeliveryMethodInput']> = writableOf(METHOD);

/** Those of them that list countries. */
export const METHOD_COUNTRY_LISTS: readonly string[] = METHOD_FIELDS.filter(
  (name) => METHOD[name].kind === 'countries',
);
/** The fields of a pickup point that clients can change. */
export const POINT_FIELDS = writableOf(POINT);

/** The clause that says that a field of a method reads back as it was given. */
export const METHOD_KEPT = keptClausesOf(METHOD);
/** The clause that says that a field of a pickup point reads back as it was given. */
export const POINT_KEPT = keptClausesOf(POINT);
