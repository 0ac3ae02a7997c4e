/** Each label page that is not simply correct differs from the correct one in what it says of itself, and in nothing else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDrawn } from '../../proof/draw.ts';
import { type Example, examples } from './index.ts';
import LabelPage from './label/correct.ts';
import Uploader from './label/upload.ts';
import { assertDiffers, type Difference } from './testing/differences.ts';
import { probeUpload } from './testing/upload-probes.ts';

const PRINTED = [
  'order',
  'order with another buyer address',
  'order in other letters',
  'order with line breaks',
  'order without a phone',
  'order with a long cart',
  'order with an unknown field',
  'order as multipart',
];
const HEAVY = 'order that is too heavy';
const CALLS = 'calls meanwhile';
const forged = (...ways: string[]): string[] => ways.map((way) => `order forged: ${way}`);
const TAMPERED = ['invoice changed', 'weight lengthened', 'a space added', 'country in capitals'];
const ALL_FORGED = forged(
  'unsigned',
  'shape only',
  'made with another key',
  'made with the key in capitals',
  'ten characters of it',
  'its end changed',
  'in small letters',
  'in hexadecimal digits',
  'in the alphabet of addresses',
  'of another order',
  ...TAMPERED,
);
const OF_32_BYTES = ALL_FORGED.filter((name) => !/unsigned|ten characters|hexadecimal/.test(name));

const SUCCESS = /^GET, label_request_id label_url tracking_code tracking_url signature, same id, signed, a PDF/;
const NO_CALLBACK = /^no callback; 403 Forbidden$|^$/;
/** A success callback whose signature would be correct if it were not for the mistake of this name. */
const mistaken = (mistake: RegExp): RegExp =>
  new RegExp(`^GET, label_request_id label_url .*signature, same id, ${mistake.source}, a PDF`);

const EXPECTED: Record<string, Difference> = {
  'label.signature.base64url': [PRINTED, mistaken(/(base64url|no-padding)[\w+-]*/)],
  'label.callback.before-verification': [[CALLS, HEAVY, ...ALL_FORGED], /same id, signed, a PDF|^$/],
  'label.callback.refusal-overlooked': [[], /./],
  'label.callback.by-post': [
    [...PRINTED, HEAVY],
    /^POST, label_request_id .* signature, same id, (signed, a PDF|a reason)/,
  ],
  'label.callback.address-in-lower-case': [[], /./],
  'label.callback.trailing-slash-omitted': [[...PRINTED, HEAVY], /./],
  'label.signature.hex': [PRINTED, mistaken(/hex[\w+-]*/)],
  // One order after another.
  'label.orders.fails-behind-gateway': [[], /./],
  'label.callback.lower-case-address': [[], /./],
  'label.orders.latest-order': [[], /./],
  'label.orders.form-kept-until-printed': [[], /./],
  'label.orders.latest-tab': [[...PRINTED, HEAVY, CALLS], /^no callback; 403 Forbidden$|^$/],
  'label.orders.mixed-up': [[], /./],
  'label.signature.only-id-signed': [PRINTED, mistaken(/(?!signed)[\w+-]+/)],
  'label.callback.unencoded': [[], /./],
  'label.callback.posted-first': [[...PRINTED, HEAVY], /./],
  'label.callback.id-in-lower-case': [[], /./],
  'label.orders.id-of-first-print': [[], /./],
  'label.orders.first-job': [[HEAVY], /signature, same id, signed, a PDF/],
  'label.orders.signature-of-first-print': [[], /./],
  'label.callback.tracking-sent-later': [
    PRINTED,
    /signed, a PDF as application\/pdf; GET, label_request_id tracking_code tracking_url signature/,
  ],
  'label.orders.job-of-first-print': [[HEAVY], /signature, same id, signed, a PDF/],
  'label.callback.never': [[...PRINTED, HEAVY], /^no callback; 200 The label is printed$/],
  'label.callback.never-beside-navigation': [[...PRINTED, HEAVY], /^no callback; 200 The label is printed$/],
  'label.callback.no-label-url': [
    PRINTED,
    /^GET, label_request_id tracking_code tracking_url signature, same id, signed, no label$/,
  ],
  'label.callback.other-id': [PRINTED, /signature, another id, signed, a PDF/],
  'label.signature.other-key': [PRINTED, mistaken(/unexplained/)],
  'label.signature.plus-as-space': [PRINTED, mistaken(/[\w+-]*space[\w+-]*/)],
  'label.signature.query-signed': [PRINTED, mistaken(/(?!signed)[\w+-]+/)],
  'label.callback.relative-label-url': [PRINTED, /signature, same id, signed, no label$/],
  'label.signature.signed-with-separator': [PRINTED, mistaken(/[\w+-]*separator[\w+-]*/)],
  'label.callback.to-fixed-address': [[...PRINTED, HEAVY], /^no callback; 200 Your parcel$/],
  'label.callback.tracking-by-path': [[], /./],
  'label.callback.tracking-of-first': [[], /./],
  'label.callback.tracking-undefined': [[], /./],
  'label.callback.tracking-placeholder': [[], /./],
  'label.callback.tracking-by-another-name': [
    PRINTED,
    /^GET, label_request_id label_url tracking_number tracking_url signature, same id, signed, a PDF/,
  ],
  'label.callback.tracking-of-first-order': [[], /./],
  'label.callback.tracking-without-code': [[], /./],
  'label.callback.failure-after-success': [
    PRINTED,
    /signed, a PDF as application\/pdf; GET, label_request_id error_msg signature, same id, a reason$/,
  ],
  'label.callback.insecure-label': [PRINTED, /./],
  'label.callback.second-label': [PRINTED, /^GET, label_request_id label_url .*, a PDF/],
  'label.callback.message-beside-label': [PRINTED, /tracking_url error_msg signature, same id, a reason$/],
  'label.signature.tracking-in-other-order': [PRINTED, mistaken(/(?!signed)[\w+-]+/)],
  'label.signature.tracking-unsigned': [PRINTED, mistaken(/(?!signed)[\w+-]+/)],
  'label.signature.unsigned': [[...PRINTED, HEAVY], /tracking_url, same id, missing|error_msg, same id, a reason/],
  'label.signature.unsigned-parameter': [PRINTED, /^GET, label_request_id status /],
  'label.signature.url-first-in-message': [PRINTED, mistaken(/(?!signed)[\w+-]+/)],
  'label.signature.url-sent-first': [PRINTED, /^GET, label_url label_request_id tracking_code/],
  'label.calls.bearer': [[CALLS], /delivery_provider_settings\/ another key/],
  'label.calls.form-body': [[CALLS], /delivery_provider_settings\/ key "order_uuid=/],
  'label.calls.order-id-instead-of-uuid': [[CALLS], /delivery_provider_settings\/ key \{"order_id":/],
  // All orders of the probes are of one store.
  'label.calls.settings-of-first-store': [[], /./],
  'label.calls.order-uuid-in-upper-case': [[CALLS], /delivery_provider_settings\/ key \{"order_uuid":"[^a-z]*"/],
  'label.checkout.prefix': [['checkout forged: its end changed'], /^200 Delivery$/],
  'label.checkout.unchecked': [['checkout forged: shape only', 'checkout forged: its end changed'], /^200 Delivery$/],
  'label.error.other-id': [[HEAVY], /^GET, label_request_id error_msg signature, another id, a reason$/],
  'label.error.not-reported': [[HEAVY], /^no callback; 200 A parcel may weigh/],
  'label.error.without-id': [[HEAVY], /^GET, error_msg, another id, a reason$/],
  'label.error.without-message': [[HEAVY], /^GET, label_request_id error_msg signature, same id, no reason$/],
  'label.error.undefined-message': [[], /./],
  'label.label.behind-login': [PRINTED, /signed, no PDF as text\/html$/],
  'label.label.truncated': [PRINTED, /signed, no PDF as application\/pdf$/],
  'label.label.read-as-text': [[], /./],
  'label.label.html': [PRINTED, /signed, no PDF as application\/pdf$/],
  'label.label.missing': [PRINTED, /signed, no PDF as text\/html$/],
  'label.label.kept-by-one-server': [[], /./],
  'label.label.of-first-order': [[], /./],
  'label.label.of-order-before': [[], /./],
  'label.label.warning-in-front': [PRINTED, /signed, no PDF as application\/pdf$/],
  'label.label.texts-unescaped': [[], /./],
  'label.label.with-those-before': [[], /./],
  'label.label.phone-of-order-before': [[], /./],
  'label.label.buyer-address': [[], /./],
  'label.label.seller-address': [[], /./],
  'label.label.other-content-type': [PRINTED, /signed, a PDF as text\/plain/],
  'label.label.served-once': [[], /./],
  'label.label.counted': [[], /./],
  'label.label.success-on-refusal': [[HEAVY], /same id, signed, no PDF as application\/pdf$/],
  'label.leaks.key-fetched-late': [[...PRINTED, HEAVY], /^no callback; 200 Label$/],
  'label.leaks.key-in-callback': [[...PRINTED, HEAVY], /api_key/],
  'label.leaks.key-in-copy-of-program': [[], /./],
  'label.leaks.key-in-diagnosis': [[], /./],
  'label.leaks.key-in-label': [[], /./],
  'label.leaks.key-in-label-stream': [[], /./],
  'label.leaks.key-in-redirect': [[], /./],
  'label.leaks.key-in-label-header': [[], /./],
  'label.leaks.key-in-label-url': [[], /./],
  'label.leaks.key-in-page': [[...PRINTED, HEAVY], /^no callback; 200 Printed$/],
  'label.manifest.app-type': [['manifest'], /"app_type":"APP"/],
  'label.manifest.title-by-language': [['manifest'], /"app_title":\{/],
  'label.manifest.vendor-as-string': [['manifest'], /"app_vendor":"Example/],
  'label.manifest.no-company-name': [['manifest'], /"app_vendor":\{"support/],
  'label.manifest.no-support-email': [['manifest'], /Ltd","support_phone"/],
  'label.manifest.phone-as-number': [['manifest'], /"support_phone":37160000000/],
  'label.manifest.fields-by-id': [['manifest'], /"delivery_api_data_fields":\{/],
  'label.manifest.field-without-title': [['manifest'], /\[\{"id":"depot","type"/],
  'label.manifest.required-as-string': [['manifest'], /"required":"yes"/],
  'label.manifest.info-as-url': [['manifest'], /"delivery_service_info":"/],
  'label.manifest.info-url-as-list': [['manifest'], /"info_url":\[/],
  'label.manifest.empty-title': [['manifest'], /"title":""/],
  'label.manifest.duplicate-field-id': [['manifest'], /Second depot/],
  'label.manifest.info-url-not-found': [['manifest'], /\/nowhere/],
  'label.manifest.field-type': [['manifest'], /"type":"number"/],
  'label.manifest.field-without-id': [['manifest'], /"delivery_api_data_fields":\[\{"title"/],
  'label.manifest.no-developer-email': [['manifest'], /"developer_email":null/],
  'label.reading.cart-written-again': [[], /./],
  'label.reading.json-unverified': [[], /./],
  'label.reading.missing-email-crashes': [[], /./],
  'label.reading.zip-with-letters-crashes': [[], /./],
  'label.reading.multipart-unverified': [[], /./],
  'label.reading.other-letters-accepted': [[], /./],
  'label.reading.signature-taken-from-end': [[], /./],
  'label.reading.unknown-language-crashes': [[], /./],
  'label.request.any-case': [forged('in small letters'), SUCCESS],
  'label.request.any-well-formed-signature': [OF_32_BYTES, SUCCESS],
  'label.request.base64url-accepted': [forged('in the alphabet of addresses'), SUCCESS],
  'label.values.country-in-lower-case': [forged('country in capitals'), SUCCESS],
  'label.request.hex-accepted': [forged('in hexadecimal digits'), SUCCESS],
  'label.request.key-in-any-case': [forged('made with the key in capitals'), SUCCESS],
  'label.values.documented-fields-only': [['order with an unknown field'], NO_CALLBACK],
  // No probe has such values.
  'label.values.invoice-as-number': [[], /./],
  'label.values.spaces-joined': [[], /./],
  'label.values.signs-removed': [[], /./],
  'label.values.cut': [[], /./],
  'label.request.link-trusted': [[], /./],
  'label.refusals.link-to-callback': [[], /./],
  'label.refusals.latest-order-shown': [[], /./],
  'label.refusals.right-signature-shown': [[], /./],
  'label.refusals.right-signature-in-header': [[], /./],
  'label.refusals.values-shown': [[], /./],
  'label.request.address-verified': [[], /./],
  'label.request.callback-of-address-used': [[], /./],
  'label.values.buyer-city-in-attribute': [[], /./],
  'label.values.buyer-markup-shown': [[], /./],
  'label.values.buyer-company-in-comment': [[], /./],
  'label.values.amount-with-cents': [[], /./],
  'label.request.own-form-trusted': [[], /./],
  'label.request.own-id-trusted': [[], /./],
  'label.request.own-script-trusted': [[...PRINTED, HEAVY, CALLS], /^no callback; 200 Label$|^$/],
  'label.values.line-breaks-normalized': [['order with line breaks'], NO_CALLBACK],
  'label.values.long-cart-refused': [['order with a long cart'], /^no callback; 413 Too long$/],
  'label.values.unicode-normalized': [[], /./],
  'label.values.signed-in-latin-1': [['order in other letters'], NO_CALLBACK],
  'label.values.missing-phone-crashes': [['order without a phone'], /^no callback; 500 Something went wrong$/],
  'label.request.prefix': [forged('ten characters of it', 'its end changed'), SUCCESS],
  'label.request.unsigned-printed-later': [[], /./],
  'label.request.known-id-trusted': [ALL_FORGED, SUCCESS],
  'label.request.signature-reused': [forged('of another order', ...TAMPERED), SUCCESS],
  'label.request.checked-once-per-browser': [[], /./],
  // No decoder is met by what the probes send.
  'label.request.signature-decoded': [[], /./],
  'label.request.signature-list-accepted': [[], /./],
  'label.values.spaces-as-plus': [[], /./],
  // No probe has such signatures.
  'label.formulas.separated-too': [[], /./],
  'label.formulas.names-too': [[], /./],
  'label.formulas.full-width-too': [[], /./],
  'label.formulas.base64-of-hex-too': [[], /./],
  'label.formulas.capital-hex-too': [[], /./],
  'label.formulas.domain-omitted-too': [[], /./],
  'label.formulas.key-behind-too': [[], /./],
  'label.formulas.key-in-base64-too': [[], /./],
  'label.formulas.amount-and-currency-omitted-too': [[], /./],
  'label.formulas.three-fields-omitted-too': [[], /./],
  'label.formulas.id-and-callback-too': [[], /./],
  'label.formulas.key-around-too': [[], /./],
  'label.formulas.elements-too': [[], /./],
  'label.formulas.lines-in-hex-too': [[], /./],
  'label.verification.skipped-for-debug': [[], /./],
  'label.verification.unknown-shop-unkeyed': [[], /./],
  'label.verification.blank-fields-omitted': [[], /./],
  'label.verification.slash-unverified': [[], /./],
  'label.verification.capitals-unverified': [[], /./],
  'label.verification.path-parameter-unverified': [[], /./],
  'label.verification.double-slash-unverified': [[], /./],
  'label.verification.encoded-path-unverified': [[], /./],
  'label.verification.format-unverified': [[], /./],
  'label.verification.index-unverified': [[], /./],
  'label.verification.cart-omitted': [[], /./],
  'label.verification.handle-as-key': [[], /./],
  'label.verification.id-alone-signed': [[], /./],
  'label.verification.md5-accepted': [[], /./],
  'label.verification.id-as-key': [[], /./],
  'label.verification.json-too': [[], /./],
  'label.verification.full-width-accepted': [[], /./],
  'label.verification.invisible-ignored': [[], /./],
  'label.verification.tags-removed': [[], /./],
  'label.verification.backslashes-removed': [[], /./],
  'label.verification.form-for-programs': [[CALLS], /^$/],
  'label.verification.query-string-too': [[], /./],
  'label.verification.same-characters': [[], /./],
  'label.verification.sha-512-accepted': [[], /./],
  'label.verification.put-unverified': [[], /./],
  'label.verification.line-break-ignored': [[], /./],
  // The probes name no page that they come from.
  'label.verification.only-with-origin': [ALL_FORGED, SUCCESS],
  'label.verification.only-with-referer': [ALL_FORGED, SUCCESS],
  'label.verification.reported-by-server': [ALL_FORGED, /a reason$/],
  // What is shown without a callback is not probed.
  'label.verification.shown-unverified': [[], /./],
  'label.verification.sorted-too': [[], /./],
  'label.verification.padding-ignored': [[], /./],
  'label.request.first-of-two-used': [[], /./],
  'label.request.suffix-accepted': [[], /./],
  'label.request.sorted': [[...PRINTED, HEAVY, CALLS], NO_CALLBACK],
  'label.values.trimmed': [forged('a space added'), SUCCESS],
  'label.request.unchecked': [ALL_FORGED, SUCCESS],
  'label.values.unknown-field-reported': [
    ['order with an unknown field', ...ALL_FORGED],
    /^GET, label_request_id error_msg signature, same id, a reason$/,
  ],
  'label.request.unsigned-accepted': [forged('unsigned'), SUCCESS],
  'label.values.weight-as-number': [forged('weight lengthened'), SUCCESS],
  'label.values.without-buyer-address': [['order with another buyer address'], NO_CALLBACK],
  'label.values.without-weight': [[...PRINTED, HEAVY, CALLS], NO_CALLBACK],

  'label.variant.many-form-fields': [[], /./],
  // The probes send each form to its own address, whatever tabs and buttons it names.
  'label.variant.next-step-in-new-tab': [[], /./],
  'label.variant.cancelled-as-failure': [[], /./],
  'label.forms.cancel-prints': [[], /./],
  'label.variant.custom-button': [[...PRINTED, HEAVY], /^no callback; 200 Label$/],
  'label.variant.compressed-pdf': [[], /./],
  'label.variant.consent-banner': [[...PRINTED, HEAVY], /^no callback; 200 Label$/],
  'label.variant.downloads-the-label': [[], /./],
  'label.variant.form-by-script': [[...PRINTED, HEAVY], /^no callback; 200 Label$/],
  'label.variant.form-in-frame': [[...PRINTED, HEAVY], /^no callback; 200 Label$/],
  'label.variant.additional-parameters': [
    PRINTED,
    /^GET, label_request_id label_url tracking_code carrier signature, same id, signed, a PDF/,
  ],
  'label.variant.label-as-bytes': [PRINTED, /signed, a PDF as application\/octet-stream$/],
  'label.variant.label-behind-redirect': [[], /./],
  'label.variant.link-back': [[...PRINTED, HEAVY], /^no callback; 200 The label is ready$/],
  'label.variant.no-tracking': [PRINTED, /^GET, label_request_id label_url signature, same id, signed, a PDF/],
  'label.variant.refreshes-to-callback': [[...PRINTED, HEAVY], /^no callback; 200 The label is printed$/],
  'label.variant.refuses-with-200': [[], /./],
  'label.variant.refuses-by-way-back': [ALL_FORGED, /./],
  'label.variant.reports-forgeries': [ALL_FORGED, /^GET, label_request_id error_msg signature, same id, a reason$/],
  'label.variant.reports-later': [[...PRINTED, HEAVY], /^no callback; 200 The label is being printed$/],
  'label.variant.reports-much-later': [[...PRINTED, HEAVY], /^no callback; 200 The label is being printed$/],
  // The probes read a page as a text.
  'label.variant.form-in-shadow-tree': [[], /./],
  'label.variant.steps-by-script': [[...PRINTED, HEAVY, CALLS], /^no callback; 200 Label$|^$/],
  'label.variant.clicked-element': [[...PRINTED, HEAVY, CALLS], /^no callback; 200 Label$|^$/],
  'label.variant.open-choice': [[], /./],
  'label.variant.link-as-button': [[...PRINTED, HEAVY, CALLS], /^no callback; 200 Label$|^$/],
  'label.variant.link-to-print': [[...PRINTED, HEAVY, CALLS], /^no callback; 200 Label$|^$/],
  'label.variant.other-forms': [[], /./],
  'label.variant.terms-by-script': [[], /./],
  'label.variant.goes-on-by-itself': [[...PRINTED, HEAVY, CALLS], /^no callback; 200 |^$/],
  'label.variant.button-locked-at-first': [[], /./],
  'label.variant.settings-kept-by-store': [[], /./],
  'label.variant.fields-in-form': [[], /./],
  'label.variant.two-formats': [[], /./],
  'label.variant.script-redirect': [[...PRINTED, HEAVY], /^no callback; 200 The label is printed$/],
  // All orders of the probes are one.
  'label.variant.second-print-refused': [
    PRINTED.filter((name) => name !== 'order'),
    /^GET, label_request_id error_msg signature, same id, a reason$/,
  ],
  'label.variant.wizard-with-cookies': [[...PRINTED, HEAVY, CALLS], /^no callback; 403 Your visit is over$|^$/],
  // The probes are no browser: they send any form.
  'label.forms.blocked-by-policy': [[], /./],
  'label.forms.blocked-in-sandbox': [[], /./],
  // Its form is a second report.
  'label.forms.printed-before': [[...PRINTED, HEAVY, CALLS], /same id|^/],
};

/** What differs of an upload that comes twice. */
const TWO_NIGHTS: Difference = [
  ['sizes', 'begins', 'ends'],
  /^(100, 100, 50, 100, 100, 50|true, false, false, true, .*|false, false, true, false, .*)$/,
];

/** Of the software that uploads points: what differs of the upload. */
const EXPECTED_UPLOADS: Record<string, Difference> = {
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

/** Their callbacks come when the probes have ended. On a busy machine their timers could end before. */
const LATER: ReadonlySet<string> = new Set(['label.variant.reports-later', 'label.variant.reports-much-later']);

/** It takes seconds for each label; how it differs is a matter of time alone. */
const SLOW = 'label.variant.one-at-a-time';
const CORRECT: Pick<Example, 'kind' | 'make'> = { kind: 'label', make: (settings) => new LabelPage(settings) };
const correctUpload: Example['make'] = (settings) => new Uploader(settings);
const pages = (await examples()).filter(({ id, kind, sort }) => kind === 'label' && sort !== 'hostile' && id !== SLOW);
/** One in so many: each prints a dozen labels. The soak takes all. */
const SAMPLE = process.env.PROOFMARK_SOAK === '1' ? 1 : 3;

for (const page of pages.filter(({ id }) => isDrawn(id, SAMPLE))) {
  const [situations, shows] = EXPECTED_UPLOADS[page.id] ?? [];
  test(page.id, async (t) => {
    if (LATER.has(page.id)) t.mock.timers.enable({ apis: ['setTimeout'] });
    if (situations === undefined || shows === undefined) {
      return assertDiffers(page, CORRECT, EXPECTED[page.id]);
    }
    const [right, seen] = [await probeUpload(correctUpload), await probeUpload(page.make)];
    const differing = Object.keys(right).filter((part) => right[part] !== seen[part]);
    assert.deepEqual(differing.sort(), [...situations].sort());
    for (const part of differing) assert.match(seen[part] ?? '', shows, part);
    await assertDiffers(page, CORRECT, [[], /./]);
  });
}

test('the upload that is correct', async () => {
  const { calls, sizes, begins, ends, ...rest } = await probeUpload(correctUpload);
  assert.equal(calls, 'delivery_method/, delivery_method/lockers/pickup_points/batch_replace/');
  assert.deepEqual([sizes, begins, ends], ['100, 100, 50', 'true, false, false', 'false, false, true']);
  assert.equal(rest['different ids'], '250');
});

test('the tables name no page that is not there', () => {
  const named = [...Object.keys(EXPECTED), ...Object.keys(EXPECTED_UPLOADS)];
  assert.deepEqual(named.sort(), pages.map(({ id }) => id).sort());
});
