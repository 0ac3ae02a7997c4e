/** For tests: how the uploads of each label page differ from those of the correct one. */
import type { Difference } from './differences.ts';

/** What differs of an upload that comes twice. */
const TWO_NIGHTS: Difference = [
  ['sizes', 'begins', 'ends'],
  /^(100, 100, 50, 100, 100, 50|true, false, false, true, .*|false, false, true, false, .*)$/,
];

/** Of the software that uploads points: what differs of the upload. */
export const EXPECTED_UPLOADS: Record<string, Difference> = {
  'label.upload.country-by-name': [['last point but its id'], /"country":"Latvia"/],
  'label.upload.every-portion-finalizes': [['ends'], /^true, true, true$/],
  'label.upload.every-portion-initializes': [['begins'], /^true, true, true$/],
  'label.upload.first-portion-continues': [['begins'], /^false, false, false$/],
  // The service of the probe takes every portion.
  'label.upload.failed-portion-initializes': TWO_NIGHTS,
  'label.upload.failed-portion-skipped': TWO_NIGHTS,
  'label.upload.ids-shared-by-countries': [
    ['sizes', 'begins', 'ends', 'last point but its id'],
    /^(100, 100, 50, 3|.*, true|.*"country":"EE".*)$/,
  ],
  'label.upload.key-in-address': [[], /./],
  'label.upload.label-url-http': [['method'], /"print_label_url":"http:\/\/labels/],
  'label.upload.final-portion-not-final': [['ends'], /^false, false, false$/],
  'label.upload.list-by-country': [['sizes', 'different ids', 'last point but its id'], /no list|^0$|^\{"id":""\}$/],
  'label.upload.method-unwrapped': [['method'], /^\{"title":/],
  'label.upload.name-sent': [['method'], /"name":"Example lockers"/],
  'label.upload.pages-counted': [[], /./],
  'label.upload.point-added-twice': [
    ['calls'],
    /pickup_points\/batch_replace\/, delivery_method\/lockers\/pickup_point\/$/,
  ],
  'label.upload.portions-of-150': [['sizes', 'begins', 'ends'], /^(150, 100|true, false|false, true)$/],
  'label.upload.repeated-id': [['different ids'], /^249$/],
  'label.upload.title-as-number': [['last point but its id'], /"lv":7/],
  'label.upload.unknown-language': [['last point but its id'], /"tlh":"jI"/],
  'label.upload.pages-beside-the-base': [[], /./],
  'label.upload.other-version': [[], /./],
  'label.upload.unknown-operation': [['calls'], /replace_all/],
  'label.upload.zip-as-number': [['last point but its id'], /"zip":1010,/],
  'label.variant.reads-points-back': [[], /./],
  'label.variant.upload-given-up': TWO_NIGHTS,
  'label.variant.upload-repeats-portion': TWO_NIGHTS,
  'label.variant.upload-restarts': TWO_NIGHTS,
  'label.variant.uploads-points': [
    ['sizes', 'begins', 'ends'],
    /^(80, 80, 80, 10|true, false, false, false|false, .*true)$/,
  ],
};
