/** Each app that is not simply correct differs from the correct one in what it says of itself, and in nothing else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDrawn } from '../../proof/draw.ts';
import App from './app/correct.ts';
import { examples } from './index.ts';
import { assertDiffers, type Difference } from './testing/differences.ts';

const FIRST_LOADS = ['first load', 'first load with an unknown parameter', 'first load in another order'];
const SECOND_LOADS = ['second load of code-a', 'second load of code-b'];
const SETTINGS = ['settings of code-a', 'settings of code-b'];
const REFUSED_CALL = 'second load, and the service refuses';
const ALL = [...FIRST_LOADS, ...SECOND_LOADS, ...SETTINGS, REFUSED_CALL];
const forged = (load: string, ...ways: string[]): string[] => ways.map((way) => `${load} forged: ${way}`);
const NO_HASH = ['first load', 'second load', 'settings'].flatMap((load) => forged(load, 'no hash'));
const HASH_OF_NOTHING = (load: string): string[] => forged(load, 'no hash', 'a hash of nothing');
const SECOND_FORGED = [...HASH_OF_NOTHING('second load'), ...forged('second load', 'authCode added')];
const NEAR_MISSES = [
  'in capitals',
  'eight characters of it',
  'the last character changed',
  'lengthened',
  'made with the key',
];
const TAMPERED = ['parameter added', 'parameter changed', 'reordered'];
const FIRST_FORGED = [...HASH_OF_NOTHING('first load'), ...forged('first load', ...NEAR_MISSES, ...TAMPERED)];

/** What a request gets that is taken for authentic. */
const GRANTED = /^(back with|200 (Greeting is installed|Settings of Greeting))/;
const BACK = /^back with/;

const EXPECTED: Record<string, Difference> = {
  'app.calls.bearer': [SECOND_LOADS, /POST set_data\/ code-. another key/],
  'app.calls.scheme-in-lower-case': [[...SECOND_LOADS, ...SETTINGS, REFUSED_CALL], /another key/],
  'app.calls.auth-code-in-body': [SECOND_LOADS, /POST set_data\/ {2}key .*"authCode":"code-.*POST set_snippet\/ code-/],
  'app.calls.auth-code-in-lower-case': [[...SECOND_LOADS, ...SETTINGS, REFUSED_CALL], /authcode=code-/],
  'app.calls.auth-code-unencoded': [[], /./],
  'app.calls.data-as-empty-list': [SECOND_LOADS, /\{"data":\[\]\}/],
  'app.calls.data-as-list': [SECOND_LOADS, /\{"data":\["Sveiki!"\]\}/],
  'app.calls.data-as-number': [SECOND_LOADS, /\{"data":7\}/],
  'app.calls.form-body': [SECOND_LOADS, /set_data\/ code-. key not as JSON data=/],
  'app.calls.snippet-as-object': [SECOND_LOADS, /\{"snippet":\{"html"/],
  'app.calls.snippet-language-by-name': [SECOND_LOADS, /"language":"English"/],
  'app.calls.snippet-language-misnamed': [SECOND_LOADS, /"lang":"en"/],
  'app.calls.snippet-beside-the-base': [SECOND_LOADS, /POST \/apps\/set_snippet\/ code-. key/],
  'app.calls.unknown-operation': [SECOND_LOADS, /POST publish\/ code-. key$/],
  'app.hash.unknown-parameters-ignored': [forged('first load', 'parameter added'), BACK],
  'app.hash.any-case': [forged('first load', 'in capitals'), BACK],
  'app.hash.any-order': [['first load in another order', ...forged('first load', 'reordered')], /^(400|back with)/],
  'app.hash.auth-code-omitted': [forged('second load', 'authCode added'), GRANTED],
  // No probe is hashed like this.
  'app.hash.callback-omitted': [[], /./],
  'app.hash.other-digest-accepted': [[], /./],
  'app.hash.decoded': [ALL, /^400 Bad request$/],
  'app.hash.empty-omitted': [[], /./],
  'app.hash.first-half-compared': [forged('first load', 'the last character changed', 'lengthened'), BACK],
  // A browser goes on where it was refused.
  'app.hash.forged-redirected-by-script': [[], /./],
  'app.hash.incomplete-accepted': [[], /./],
  'app.hash.key-as-secret': [forged('first load', 'made with the key'), BACK],
  'app.hash.documented-only': [
    ['first load with an unknown parameter', ...forged('first load', 'parameter added')],
    /^(400|back with extra=1)/,
  ],
  // The first finished installation of a situation is the only one.
  'app.hash.known-code-trusted': [[], /./],
  'app.hash.malformed-accepted': [[], /./],
  'app.hash.posted-code-used': [[], /./],
  'app.hash.posted-form-trusted': [[], /./],
  'app.hash.spaces-ignored': [[], /./],
  'app.hash.trimmed': [[], /./],
  'app.hash.zeros-added': [[], /./],
  'app.hash.missing-accepted': [NO_HASH, GRANTED],
  'app.hash.not-on-first-load': [FIRST_FORGED, BACK],
  'app.hash.not-on-second-load': [SECOND_FORGED, GRANTED],
  'app.hash.not-on-settings': [HASH_OF_NOTHING('settings'), GRANTED],
  'app.hash.similar-names-removed': [[], /./],
  'app.hash.only-on-first-load': [[...SECOND_FORGED, ...HASH_OF_NOTHING('settings')], GRANTED],
  // Only its own id is another one.
  'app.hash.own-app-id-in-settings': [[], /./],
  'app.hash.plain-digest-accepted': [[], /./],
  'app.hash.prefix-accepted': [forged('first load', 'eight characters of it'), BACK],
  'app.hash.session-begun-before': [SETTINGS, /^elsewhere: \/panel/],
  'app.hash.session-instead-of-hash': [[], /./],
  'app.hash.session-trusted-on-install': [[], /./],
  'app.hash.sorted': [ALL, /^400 Bad request$/],
  'app.hash.suffix-accepted': [forged('first load', 'lengthened'), BACK],
  'app.hash.unchecked': [[...FIRST_FORGED, ...SECOND_FORGED, ...HASH_OF_NOTHING('settings')], GRANTED],
  // In a browser with cookies.
  'app.sessions.first-code-kept': [[], /./],
  'app.sessions.strict-cookie': [SECOND_LOADS, /^elsewhere: \/panel/],
  'app.sessions.begun-by-forged-settings': [SETTINGS, /^elsewhere: \/panel/],
  'app.sessions.begun-by-forged-install': [[...SECOND_LOADS], /^elsewhere: \/panel/],
  // No probe is hashed like this.
  'app.formulas.capitals-too': [forged('first load', 'in capitals'), BACK],
  'app.formulas.reversed-too': [forged('first load', 'reordered'), BACK],
  // No probe has such hashes.
  'app.formulas.secret-behind-too': [[], /./],
  'app.formulas.language-in-lower-case-too': [[], /./],
  'app.formulas.line-separated-too': [[], /./],
  'app.formulas.address-too': [[], /./],
  'app.formulas.decoded-secret-too': [[], /./],
  'app.formulas.code-alone-too': [[], /./],
  'app.formulas.code-and-app-too': [[], /./],
  'app.formulas.secret-with-bar-too': [[], /./],
  'app.formulas.names-with-colons-too': [[], /./],
  'app.verification.skipped-for-debug': [[], /./],
  'app.verification.settings-skipped-for-test': [[], /./],
  'app.verification.unknown-app-unkeyed': [[], /./],
  'app.verification.sanitized-first': [[], /./],
  // No probe repeats a request with another hash.
  'app.verification.page-kept-without-hash': [[], /./],
  'app.verification.result-kept-by-prefix': [
    forged('first load', 'eight characters of it', 'lengthened', 'the last character changed'),
    BACK,
  ],
  'app.verification.app-id-as-secret': [[], /./],
  'app.verification.decoded-too': [[], /./],
  'app.verification.empty-omitted-with-code': [[], /./],
  'app.verification.language-omitted': [[], /./],
  'app.verification.md5-accepted': [[], /./],
  'app.verification.same-characters': [[], /./],
  'app.verification.values-alone-too': [[], /./],
  'app.verification.line-break-ignored': [[], /./],
  'app.verification.posted-code-installed': [[], /./],
  'app.loopholes.patch-unverified': [[], /./],
  'app.loopholes.options-unverified': [[], /./],
  'app.loopholes.own-machine-trusted': [[], /./],
  'app.loopholes.ends-at-null-character': [[], /./],
  'app.loopholes.digest-named-too': [[], /./],
  'app.loopholes.word-accepted': [[], /./],
  // The probes send no HEAD.
  'app.verification.head-unverified': [[], /./],
  'app.verification.put-unverified': [[], /./],
  // The calls come after the response.
  'app.verification.queued-before': [[], /./],
  // No probe has these values.
  'app.exceptions.known-language-free': [[], /./],
  'app.exceptions.early-version-unverified': [[], /./],
  'app.exceptions.without-callback-unverified': [[], /./],
  'app.verification.scripts-unverified': [[], /./],
  'app.verification.first-callback-used': [[], /./],
  // The probes spell the paths as the manifest does.
  'app.verification.slash-unverified': [[], /./],
  'app.verification.capitals-unverified': [[], /./],
  'app.verification.path-parameter-unverified': [[], /./],
  'app.verification.double-slash-unverified': [[], /./],
  'app.verification.encoded-path-unverified': [[], /./],
  'app.verification.format-unverified': [[], /./],
  'app.verification.index-unverified': [[], /./],
  'app.verification.full-width-accepted': [[], /./],
  'app.verification.invisible-ignored': [[], /./],
  'app.verification.tags-removed': [[], /./],
  'app.verification.backslashes-removed': [[], /./],
  'app.verification.json-too': [[], /./],
  'app.verification.utm-omitted': [[], /./],
  'app.verification.last-callback-used': [[], /./],
  // The probes name no page that they come from.
  'app.verification.referer-trusted': [[], /./],
  'app.verification.sorted-too': [[], /./],
  'app.install.called-before-permission': [FIRST_LOADS, /^back with .*; POST installed\/ {2}key$/],
  'app.install.program-error-shown': [SECOND_LOADS, /^200 .*POST installed/],
  'app.install.broken-page': [SECOND_LOADS, /^500 Internal error; POST installed/],
  'app.install.by-get': [[...SECOND_LOADS, REFUSED_CALL], /; GET installed\/ code-/],
  'app.install.fails-at-first': [['first load'], /^502 Bad gateway$/],
  'app.install.fails-at-first-code': [['second load of code-a'], /^500 Internal error$/],
  // Each situation has two installations.
  'app.install.fails-at-times': [[], /./],
  'app.settings.fail-at-first': [['settings of code-a'], /^500 Internal error; GET get_data/],
  'app.install.claims-success': [[REFUSED_CALL], /^200 Greeting is installed; POST installed/],
  'app.install.claims-success-by-name': [[...SECOND_LOADS, REFUSED_CALL], /^200 Greeting is installed; POST installed/],
  'app.install.claims-success-on-reload': [[REFUSED_CALL], /^200 Greeting is installed$/],
  'app.install.refusal-overlooked': [[], /./],
  // None of these loads has a code that the app does not know.
  'app.installations.first-for-unknown': [[], /./],
  'app.installations.website-of-first': [['second load of code-a'], /; GET website\/ code-a/],
  // Two users at once.
  'app.installations.codes-mixed-up': [[], /./],
  'app.settings.mixed-up': [[], /./],
  'app.settings.names-mixed-up': [SETTINGS, /GET website\/ code-/],
  'app.settings.kept-by-language': [SETTINGS, /GET website\/ code-/],
  'app.settings.kept-by-one-server': [SETTINGS, /^200 Settings of Greeting/],
  'app.settings.kept-in-storage': [SETTINGS, /GET website\/ code-/],
  'app.settings.kept-by-worker': [SETTINGS, /GET website\/ code-/],
  'app.settings.kept-by-user': [SETTINGS, /GET user\/ code-.*GET website\/ code-/],
  // The service of the probes has one version.
  'app.settings.of-first-version': [[], /./],
  'app.install.auth-code-in-lower-case': [[], /./],
  'app.installations.data-stored-for-latest': [
    ['second load of code-b'],
    /set_data\/ code-b.*set_snippet\/ code-b.*set_data\/ code-a/,
  ],
  'app.installations.data-stored-for-first': [
    ['second load of code-b'],
    /installed\/ code-b.*set_data\/ code-a.*set_snippet\/ code-a/,
  ],
  'app.install.empty-page': [SECOND_LOADS, /^204 without a page; POST installed/],
  'app.installations.first-auth-code-reused': [
    ['second load of code-b', 'settings of code-b'],
    /(installed|get_data)\/ code-a/,
  ],
  'app.install.known-user-not-redirected': [[], /./],
  'app.install.unknown-language-crashes': [[], /./],
  'app.install.form-blocked-by-policy': [[...SECOND_LOADS, REFUSED_CALL], /^200 One last step$/],
  'app.install.never-called': [[...SECOND_LOADS, REFUSED_CALL], /^200 Greeting is installed; POST set_data/],
  'app.install.only-in-settings': [
    [...SECOND_LOADS, ...SETTINGS, REFUSED_CALL],
    /^200 (Greeting is installed; POST set_data|Settings of Greeting; POST installed)/,
  ],
  'app.install.other-key': [[...SECOND_LOADS, REFUSED_CALL], /POST installed\/ code-. another key/],
  'app.installations.removed-auth-code-finished': [
    [...SECOND_LOADS, REFUSED_CALL],
    /GET website\/ code-.*|POST installed/,
  ],
  'app.installations.removed-auth-code-kept': [SECOND_LOADS, /GET website\/ code-.*set_data\/ code-/],
  'app.install.retries-forever': [[REFUSED_CALL], /^no answer; again and again: POST installed/],
  'app.settings.of-session': [[], /./],
  // They read the name of each website first.
  'app.install.nameless-website-crashes': [[...SECOND_LOADS, REFUSED_CALL], /; GET website\//],
  'app.install.foreign-name-crashes': [[...SECOND_LOADS, REFUSED_CALL], /; GET website\//],
  'app.install.version-pinned': [[], /./],
  'app.install.version-compared-as-text': [[], /./],
  // Each situation of the probes has a user of its own.
  'app.installations.codes-kept-by-beginning': [[], /./],
  'app.installations.codes-kept-by-website-name': [[...SECOND_LOADS, ...SETTINGS], /GET website\/ code-/],
  'app.installations.page-names-first-website': [SECOND_LOADS, /^200 Greeting; POST installed/],
  'app.installations.session-of-installation': [SETTINGS, /GET website\/ code-/],
  'app.installations.codes-kept-by-user': [[...SECOND_LOADS, ...SETTINGS], /GET user\/ code-/],
  'app.settings.of-first': [SECOND_LOADS, /GET website\/ code-/],
  'app.settings.of-everyone': [SETTINGS, /GET website\/ code-/],
  'app.settings.of-everyone-hidden': [SETTINGS, /GET website\/ code-/],
  'app.settings.of-first-and-own-user': [[...SECOND_LOADS, ...SETTINGS], /GET (website|user)\/ code-/],
  'app.install.self-adds-parameter': [SECOND_LOADS, /&finished=1; POST installed/],
  'app.install.self-shows-page': [SECOND_LOADS, /^200 Greeting is installed; POST installed/],
  'app.settings.need-first-browser': [SETTINGS, /^403 Greeting/],
  'app.settings.redirects-back': [SETTINGS, /^back with authCode=/],
  'app.settings.language-behind-gateway': [[], /./],
  'app.install.language-behind-gateway': [[], /./],
  'app.installations.lock-drops-others': [[], /./],
  'app.settings.missing': [SETTINGS, /^404 Not found/],
  'app.manifest.other-type': [['manifest'], /"app_type":"DELIVERY_SERVICE"/],
  'app.manifest.display-title-as-list': [['manifest'], /"app_display_title":\["Greeting"/],
  'app.manifest.icon-is-page': [['manifest'], /"app_icon":"[^"]*\/help"/],
  'app.manifest.no-short-description': [['manifest'], /"app_description_short":null/],
  'app.manifest.short-description-too-long': [['manifest'], /on every page of your website\. Greets/],
  'app.manifest.no-full-description': [['manifest'], /"app_description_full":null/],
  'app.manifest.empty-text': [['manifest'], /"lv":""/],
  'app.manifest.screenshots-as-list': [['manifest'], /"app_screenshots":\[/],
  'app.manifest.vendor-as-string': [['manifest'], /"app_vendor":"Example/],
  'app.manifest.no-company-name': [['manifest'], /"company_name":null/],
  'app.manifest.no-support-email': [['manifest'], /"support_email":null/],
  'app.manifest.support-phone-as-number': [['manifest'], /"support_phone":37160000000/],
  'app.manifest.no-developer-email': [['manifest'], /"developer_email":null/],
  'app.manifest.no-company-url': [['manifest'], /"company_url":null/],
  'app.manifest.no-support-url': [['manifest'], /"support_url":null/],
  'app.manifest.privacy-not-a-url': [['manifest'], /"privacy_url":7/],
  'app.manifest.other-tab-mode': [['manifest'], /"app_tab_mode":"popup"/],
  'app.manifest.install-url-is-path': [['manifest'], /"app_install_url":"install"/],
  'app.manifest.no-settings-url': [['manifest'], /"app_settings_url":null/],
  'app.manifest.terms-not-found': [['manifest'], /\/agreement"/],
  'app.manifest.no-secret': [['manifest'], /"app_secret":null/],
  'app.manifest.plain-http': [['manifest'], /http:\/\/apps\.example/],
  'app.manifest.no-tos-url': [['manifest'], /"tos_url":null/],
  'app.manifest.icon-not-square': [['icon'], /./],
  'app.manifest.other-permissions': [['manifest'], /"app_permissions":\["READ","WRITE"\]/],
  'app.manifest.small-icon': [['icon'], /./],
  'app.manifest.title-by-language': [['manifest'], /"app_title":\{/],
  'app.manifest.two-part-version': [['manifest'], /"app_version":"1\.0"/],
  // It takes its own secret, which is not that of the tests.
  'app.manifest.weak-secret': [[...ALL, 'manifest'], /^400|"app_secret":"another"/],
  // The probes run no scripts.
  'app.pages.brand-as-markup': [SETTINGS, /GET website\/ code-/],
  'app.pages.refusal-drawn-as-success': [[...SECOND_LOADS, REFUSED_CALL], /^200 Greeting$/],
  'app.pages.data-after-installation': [SECOND_LOADS, /^200 .*POST installed/],
  'app.pages.settings-as-trace': [SETTINGS, /^200 Error; GET get_data/],
  'app.pages.settings-undefined': [SETTINGS, /^200 .*GET get_data/],
  'app.pages.settings-with-warning': [[], /./],
  // The content type is not probed.
  'app.pages.source-shown': [[], /./],
  'app.redirect.adds-parameter': [FIRST_LOADS, /&app_version=1\.0\.0$/],
  'app.redirect.adds-second-language': [FIRST_LOADS, /&language=en$/],
  // The probes have no such values.
  'app.redirect.markup-removed': [[], /./],
  'app.redirect.letters-normalized': [[], /./],
  'app.redirect.english-only': [FIRST_LOADS, /^back with .*language=en/],
  // The callback of the probes has no slash.
  'app.redirect.slash-cut': [[], /./],
  'app.redirect.digits-as-number': [[], /./],
  'app.redirect.in-lower-case': [[], /./],
  'app.redirect.in-frame': [FIRST_LOADS, /^200 Greeting$/],
  'app.redirect.in-new-window': [FIRST_LOADS, /^200 Greeting$/],
  'app.redirect.adds-slash': [FIRST_LOADS, /^elsewhere: \/back\/visit-1\/$/],
  // The host of the probes has one name.
  'app.redirect.other-name-of-host': [[], /./],
  'app.redirect.by-post': [FIRST_LOADS, /^200 One moment$/],
  'app.redirect.changes-language': [FIRST_LOADS, /^back with .*language=de/],
  // The values of the probes are short.
  'app.redirect.cuts-long-values': [[], /./],
  'app.redirect.drops-empty': [[], /./],
  'app.redirect.drops-zero': [[], /./],
  'app.redirect.trims-values': [[], /./],
  'app.redirect.drops-parameter': [FIRST_LOADS, /^back with (?!.*platformVersion)/],
  'app.redirect.numbers-rewritten': [[], /./],
  'app.redirect.drops-unknown': [['first load with an unknown parameter'], /^back with appId=3001&language=lv&platf/],
  'app.redirect.to-own-page': [FIRST_LOADS, /^elsewhere: \/help$/],
  'app.redirect.encodes-twice': [['first load with an unknown parameter'], /^back with shop=a%2526b/],
  'app.redirect.keeps-callback': [FIRST_LOADS, /^back with .*&callback=http%3A%2F%2Fstore/],
  'app.redirect.keeps-hash': [FIRST_LOADS, /^back with .*&hash=[0-9a-f]{64}$/],
  'app.redirect.requested-by-server': [FIRST_LOADS, /^200 Welcome$/],
  'app.redirect.never': [FIRST_LOADS, /^200 Welcome$/],
  'app.refusals.link-to-callback': [[], /./],
  'app.refusals.path-shown': [[], /./],
  'app.refusals.quotes-shown': [[], /./],
  'app.refusals.right-hash-shown': [[], /./],
  // What a browser is given besides the page.
  'app.refusals.right-hash-in-header': [[], /./],
  'app.refusals.right-hash-fetched': [[], /./],
  'app.refusals.values-shown': [[], /./],
  'app.secrets.in-unnamed-file': [[], /./],
  'app.secrets.in-listed-file': [[], /./],
  'app.secrets.key-where-nothing-is': [['seen by the browser'], /^key$/],
  'app.secrets.key-in-base64': [['seen by the browser'], /^key$/],
  'app.secrets.key-in-cookie': [['seen by the browser'], /^key$/],
  'app.secrets.key-in-page': [['seen by the browser'], /^key$/],
  'app.secrets.key-in-script': [['seen by the browser'], /^key$/],
  'app.secrets.key-in-snippet': [SECOND_LOADS, /POST set_snippet\/ code-. key .*stats\?key=/],
  'app.secrets.secret-in-snippet': [SECOND_LOADS, /POST set_snippet\/ code-. key .*data-c=/],
  // What comes later, and what only developer tools load, is not probed.
  'app.secrets.key-fetched-late': [[], /./],
  'app.secrets.key-in-source-map': [[], /./],
  'app.secrets.key-sent-by-script': [[], /./],
  // The probes run no scripts.
  'app.secrets.key-in-console': [[], /./],
  // Nothing in the page uses it.
  'app.secrets.key-in-pieces': [[], /./],
  'app.secrets.key-in-picture': [[], /./],
  'app.secrets.key-in-redirect': [['seen by the browser'], /^key$/],
  'app.secrets.secret-in-redirect-of-refusal': [
    [...SETTINGS, 'seen by the browser'],
    /^(elsewhere: \/panel.*|secret)$/,
  ],
  'app.secrets.key-in-packed-cookie': [[], /./],
  'app.secrets.key-in-nested-base64': [[], /./],
  'app.secrets.key-in-shadow': [[], /./],
  'app.secrets.key-sent-with-an-open-end': [[], /./],
  'app.secrets.key-in-cache': [[], /./],
  'app.secrets.key-in-event-stream': [[], /./],
  'app.secrets.key-kept-by-script': [[], /./],
  'app.secrets.secret-in-url': [[...SECOND_LOADS, 'seen by the browser'], /^(elsewhere: \/help; POST|secret$)/],
  'app.secrets.secret-in-page': [['seen by the browser'], /^secret$/],
  'app.secrets.secret-in-refusal': [['seen by the browser'], /^secret$/],

  'app.variant.one-page-everywhere': [[], /./],
  'app.variant.through-own-page': [FIRST_LOADS, /^elsewhere: \/leave$/],
  'app.variant.code-before-other-parameters': [[...SECOND_LOADS, ...SETTINGS, REFUSED_CALL], /\/ v=2&code-/],
  'app.variant.draws-late': [SETTINGS, /^200/],
  'app.variant.last-step': [[...SECOND_LOADS, REFUSED_CALL], /^200 One last step$/],
  'app.variant.two-last-steps': [[...SECOND_LOADS, REFUSED_CALL], /^200 Shop$/],
  'app.variant.last-step-takes-long': [[...SECOND_LOADS, REFUSED_CALL], /^200 One last step$/],
  'app.variant.last-step-by-link': [[...SECOND_LOADS, REFUSED_CALL], /^200 One last step$/],
  'app.variant.last-step-in-session': [[...SECOND_LOADS, REFUSED_CALL], /^200 One last step$/],
  'app.variant.every-call': [SECOND_LOADS, /GET get_snippet\/en\/ code-/],
  'app.variant.framework': [SETTINGS, /^200 Greeting; GET get_data/],
  'app.variant.cold-start': [[], /./],
  'app.variant.finishes-later': [[...SECOND_LOADS, REFUSED_CALL], /^200 Greeting is installed$/],
  'app.variant.hash-as-received': [[], /./],
  'app.variant.languages': [[...SECOND_LOADS, ...SETTINGS], /^(elsewhere: \/lv\/welcome|200 Iestat)/],
  'app.variant.own-elements': [
    [...SECOND_LOADS, ...SETTINGS],
    /^200 Greeting; POST installed|^200 Greeting; GET get_data/,
  ],
  'app.variant.asks-first': [FIRST_LOADS, /^200 Greeting$/],
  'app.variant.meta-refresh': [FIRST_LOADS, /^200 One moment$/],
  'app.variant.own-query': [['manifest'], /install\?plan=gold&for=A%26B&empty="/],
  'app.variant.draws-much-later': [SETTINGS, /^200/],
  'app.variant.finishes-much-later': [[...SECOND_LOADS, REFUSED_CALL], /^200 Greeting is installed$/],
  'app.variant.removed-script': [FIRST_LOADS, /^200 One moment$/],
  'app.variant.looks-after-all': [['second load of code-b'], /GET user\/ code-a/],
  'app.variant.one-installation-per-website': [SECOND_LOADS, /GET website\/ code-/],
  'app.variant.queue': [[...SECOND_LOADS, REFUSED_CALL], /^200 Greeting is installed$/],
  'app.variant.reads-after-settings': [SETTINGS, /^200 Settings of Greeting$/],
  'app.variant.redirect-307': [[], /./],
  'app.variant.refuses-by-redirect': [[], /./],
  'app.variant.refuses-with-200': [[], /./],
  'app.variant.refuses-with-500': [[], /./],
  'app.variant.rfc3986': [[], /./],
  'app.variant.script-redirect': [FIRST_LOADS, /^200 One moment$/],
  'app.variant.progress-in-frame': [[...SECOND_LOADS, ...SETTINGS], /^200 Greeting; /],
  'app.variant.single-page': [[...FIRST_LOADS, ...SECOND_LOADS, ...SETTINGS, REFUSED_CALL], /^200 Greeting$/],
  'app.variant.self-queue': [[...SECOND_LOADS, REFUSED_CALL], /^back with [^;]*$/],
  'app.variant.self-returns-later': [SECOND_LOADS, /^200 Greeting is installed; POST installed/],
  'app.variant.session': [[...SECOND_LOADS, ...SETTINGS], /^elsewhere: \/panel/],
};

/** They differ by calls at any time, so that none of the situations would be steady. */
const ANY_TIME = ['app.variant.background-job', 'app.variant.job-forgets-removed'];
const apps = (await examples()).filter(
  ({ id, kind, sort }) => kind === 'app' && sort !== 'hostile' && !ANY_TIME.includes(id),
);

/** One in so many: each is loaded two dozen times. The soak takes all. */
const SAMPLE = process.env.PROOFMARK_SOAK === '1' ? 1 : 6;

for (const app of apps.filter(({ id }) => isDrawn(id, SAMPLE))) {
  test(app.id, () => assertDiffers(app, { kind: 'app', make: (settings) => new App(settings) }, EXPECTED[app.id]));
}

test('the table names no app that is not there', () => {
  assert.deepEqual(Object.keys(EXPECTED).sort(), apps.map(({ id }) => id).sort());
});
