/** Conformant services that were blamed, left undecided, or in which something was left behind, once: most for several answers together. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesAny } from '../../contracts/run/glob.ts';
import { isDrawn } from '../draw.ts';
import { judge } from './judge.ts';
import { choiceOf } from './reading.ts';
import { READINGS } from './rows/index.ts';
import { runOnService } from './run-service.ts';
import { problemsIn } from './tally.ts';

/** In `npm test` one in so many; the soak tries all. */
const SAMPLE = process.env.PROOFMARK_SOAK === '1' ? 1 : 4;

const TOGETHER: readonly (readonly [why: string, service: string, checks: readonly string[]])[] = [
  [
    'numbers of websites and domains that JavaScript rounds',
    'reseller.website-numbers/64-bits',
    ['reseller.domain.*', 'reseller.website.*'],
  ],
  [
    'keys and codes that differ in one letter',
    'credentials.form/lettered',
    ['delivery.credentials.near-miss-key-refused', 'apps.credentials.near-miss-auth-code-refused'],
  ],
  [
    'subscriptions that are stopped once, where clean-up has stopped one',
    'reseller.premium-rules/stopped-once+reseller.busy-account/settings',
    ['reseller.premium.*', 'reseller.website.*'],
  ],
  [
    'a refused disable by GET, where the record follows an earlier switch late',
    'reseller.late-status/2-readings+reseller.methods/all-post',
    ['reseller.website.*', 'reseller.calls.site-status-*'],
  ],
  [
    'references of digits and ids in capitals, where long texts are refused first',
    'texts.length/at-most-40+points.id-form/capitals+methods.reference-form/digits',
    ['delivery.batch.empty-list', 'delivery.batch.country-replaces'],
  ],
  [
    'titles of other owners that have to be objects of all languages',
    'texts.unnamed-languages/string-refused-everywhere+methods.unique-texts/unique-title-in-each-language',
    ['delivery.owner.methods-not-*'],
  ],
  [
    'updates that need the id of the point, where only known references are taken',
    'points.required-in-updates/id+methods.reference-form/known-services',
    ['delivery.credentials.*-key-*', 'delivery.credentials.other-store-*'],
  ],
  [
    'lost connections, and texts that are refused anyway',
    'texts.alphabet/plain+network.closed-connections/any-now-and-then',
    ['delivery.point.*'],
  ],
  [
    'parameters in addresses only, tokens that end soon, and refusals with status 500',
    'reseller.parameter-places/query-only+tokens.life/3-calls+credentials.refusal/status-500',
    ['reseller.authorize.*', 'reseller.calls.split-*', 'reseller.website.*'],
  ],
  [
    'updates that need a field, where one method more is taken',
    'points.required-in-updates/country+methods.quota/1-more',
    ['delivery.batch.finalization-publishes'],
  ],
  [
    'lists of at most 250 points, each of which has to be published before the next',
    'points.quota/250+uploads.demands/published-first',
    ['delivery.batch.finalization-publishes'],
  ],
  [
    'empty pages between pages of two',
    'lists.page-limit/refused-above-2+lists.empty-pages/in-the-midst',
    ['delivery.batch.finalization-publishes'],
  ],
  [
    'settings of which one must always be sent, and short addresses',
    'reseller.settings-required/company+requests.address/400',
    ['reseller.settings.*', 'reseller.calls.settings-*'],
  ],
  [
    'snippets that cannot be read while they are empty',
    'apps.emptied/refused+apps.data-unset/refused',
    ['apps.snippet.*'],
  ],
  [
    'a record that follows a switch late, while other calls are made',
    'reseller.late-status/2-calls',
    ['reseller.account.other-calls-*', 'reseller.website.*'],
  ],
  [
    'references that it knows, and a label page',
    'methods.required/label-page+methods.reference-form/known-services',
    ['delivery.method.create-stores', 'delivery.method.title-kept', 'properties.delivery.whole-state'],
  ],
  [
    'links that are good once, and a gateway that answers for one of them',
    'lists.link-life/once+network.gateway/504-after-all',
    ['delivery.*'],
  ],
  [
    'small pages and room for few methods',
    'lists.page-limit/refused-above-49+methods.quota/10-more',
    ['delivery.lists.*', 'delivery.method.*'],
  ],
  [
    'updates that must change something, and methods that can not be changed',
    'methods.fixed/all-but-reference+calls.repeated/no-change',
    ['delivery.multilanguage.*'],
  ],
  [
    'codes in capitals and one country at a time',
    'points.id-form/capitals+countries.form/own-only',
    ['delivery.point.create-stores', 'delivery.owner.points-*', 'envelope.delivery.refusal-changes-nothing'],
  ],
  [
    'no country but that of the store, which is not the one that checks write',
    'countries.form/own-only-elsewhere',
    ['delivery.batch.country-replaces', 'delivery.method.countries-from-kept', 'delivery.point.country-kept'],
  ],
  [
    'creates that return a list, and no reference of the run',
    'methods.write-responses/whole-list+methods.reference-form/digits',
    ['delivery.method.handle-*', 'delivery.method.list-contains-own', 'delivery.credentials.provider-key-*'],
  ],
  [
    'settings that another client changes while each refused call is sent again by GET',
    'reseller.methods/all-get+reseller.busy-account/settings',
    ['reseller.settings.set-applies'],
  ],
  [
    'attributes that nest, where a method with a label page was refused before',
    'methods.label-address/none+points.attributes-form/flat',
    ['delivery.point.delete-leaves-other-points', 'delivery.point.update-*', 'delivery.batch.replaces-*'],
  ],
  [
    'references in capitals, where no label page is taken',
    'methods.reference-form/small-slug+methods.label-address/none',
    ['delivery.method.list-contains-own'],
  ],
  [
    'titles without a mark under a reference that another method has: all of them are removed',
    'methods.required/reference+methods.reference-form/known-services',
    ['delivery.method.title-kept', 'delivery.method.create-stores'],
  ],
  [
    'titles without a mark that read in every language, where no create returns a handle',
    'texts.read-form/filled+methods.create-response/envelope+methods.reference-form/known-services+methods.quota/1-more',
    ['delivery.method.*'],
  ],
  [
    'a reference of the run that is refused beside a title without a mark: the method is removed',
    'methods.reference-form/short-capitals',
    ['delivery.method.*'],
  ],
  [
    'two handles a call, where the only field of the check that is sent under two is fixed',
    'handles.quota/2+points.fixed/zip',
    ['delivery.handles.*'],
  ],
  [
    'pages of one item, of which the newest comes first',
    'lists.order/newest-first+lists.default-page/of-1',
    ['delivery.credentials.every-*', 'delivery.owner.*'],
  ],
  [
    'a login in two parts that counts as a wrong one, of which there were too many',
    'reseller.parameter-places/form-only+credentials.locks/slowed-down',
    ['reseller.authorize.*', 'reseller.logout.*', 'reseller.calls.*', 'reseller.website.*'],
  ],
  [
    'parameters that are read from the address only, which a POST may carry as well',
    'reseller.parameter-places/query-only',
    ['reseller.calls.split-*', 'reseller.token.missing-refused', 'reseller.token.every-read'],
  ],
  [
    'a lock after tokens that stood where it does not read them',
    'reseller.parameter-places/form-only-by-any-method+credentials.locks/keys-forbidden',
    ['reseller.*'],
  ],
  [
    'records that begin to follow a switch only during refused calls',
    'reseller.late-status/20-calls+tokens.life/8-calls',
    ['reseller.token.*', 'reseller.website.*'],
  ],
  [
    'records that come late while a domain is not removed',
    'reseller.late-status/2-readings+reseller.premium-rules/stopped-once',
    ['reseller.*'],
  ],
  [
    'a record that shows an earlier switch between two disables',
    'reseller.late-status/20-calls+reseller.parameter-places/query-only',
    ['reseller.authorize.*', 'reseller.logout.*', 'reseller.calls.*', 'reseller.token.*', 'reseller.website.*'],
  ],
  [
    'a name that is not attached again, met first by a change that checks share',
    'reseller.domain-demands/never-again',
    ['reseller.domain.*', 'reseller.login.*'],
  ],
  ['snippets that can be emptied, and are refused when they are read then', 'apps.emptied/refused', ['apps.snippet.*']],
  [
    'websites that others make and delete at once',
    'reseller.busy-account/next-websites',
    ['reseller.website.unknown-refused'],
  ],
  [
    "a store that may read the points of a provider's method",
    'points.of-providers/readable-by-stores',
    ['properties.delivery.whole-state', 'delivery.owner.*'],
  ],
  [
    'uploads of which one may be open at a time, where checks share a method',
    'uploads.demands/one-at-a-time',
    ['delivery.credentials.provider-key-*', 'delivery.lists.points.*', 'delivery.batch.replaces-all'],
  ],
  [
    'the text of one language that all show, where the country of the check is refused',
    'texts.completed/other+countries.form/own-only',
    ['delivery.point.*-applies', 'delivery.point.id-*'],
  ],
  [
    'uploads of which one may be open at a time, and a portion that is refused for its number of points',
    'points.quota/200+uploads.demands/one-at-a-time',
    ['delivery.batch.*', 'envelope.delivery.malformed-body'],
  ],
  [
    'room for few methods, which only plain values show',
    'texts.length/at-most-20+methods.quota/3-more',
    ['delivery.method.*'],
  ],
  [
    'another order of websites each time, one of which is disabled and lists no domains then',
    'texts.read-form/objects+points.id-form/slug+points.quota/250+reseller.record-values/record-changes-with-calls+reseller.list-order/another-each-time+reseller.disabled-websites/nothing-but-enabling+credentials.refusal/status-419+refusals.status/always-503',
    ['reseller.*', 'envelope.reseller.*'],
  ],
  ['portions that are full but for the last', 'uploads.demands/full-portions', ['delivery.batch.accepts-100-points']],
  ['room for one method', 'methods.quota/1-more', ['delivery.lists.points.*']],
  [
    'room for one method, whose label page can not be null',
    'methods.null/refused+methods.quota/1-more',
    ['delivery.method.print-label-url-null-otherwise', 'delivery.point.update-leaves-other-points'],
  ],
  [
    'room for few methods, and for fewer points than a long list has',
    'methods.quota/6-more+points.quota/120',
    ['delivery.lists.points.*', 'delivery.batch.*', 'envelope.delivery.writing.*'],
  ],
  [
    'points that are deleted one by one before their method, under ids that plain values replace',
    'deletes.with-points/refused+uploads.demands/not-empty+points.id-form/capitals',
    ['delivery.point.*-kept', 'delivery.batch.replaces-all'],
  ],
  [
    'a gateway that is away while plain values are tried',
    'points.address-form/with-number+network.gateway/502-for-any',
    ['delivery.batch.*'],
  ],
  [
    'phone numbers without what groups their digits',
    'reseller.settings-normalized/phones',
    ['reseller.settings.set-applies'],
  ],
  [
    'a handle that is used again, while methods that no check needs are deleted to make room',
    'methods.handle-source/used-again+points.id-form/short-slug+methods.quota/10-more-429',
    ['delivery.*'],
  ],
  [
    'room for one method, which the response to its create does not name',
    'methods.create-response/envelope+methods.quota/1-more',
    ['delivery.credentials.every-write', 'delivery.method.handle-string'],
  ],
  ['subscriptions that it never starts', 'reseller.premium-rules/unpaid-invoice', ['reseller.premium.*']],
  [
    'references that it knows, beside codes in lower case',
    'methods.reference-form/known-services+countries.form/lower-case',
    ['delivery.method.create-stores', 'delivery.method.reference-kept'],
  ],
  [
    'references of other methods, which only the title of a new one distinguishes from them',
    'methods.write-responses/whole-list+methods.required/label-page+methods.reference-form/known-services',
    ['delivery.method.*'],
  ],
  [
    'room for one method, in which only the country of the store is taken',
    'countries.form/own-only+methods.quota/1-more',
    ['delivery.method.update-applies'],
  ],
  [
    'points that have to be deleted before their method',
    'deletes.with-points/refused',
    ['delivery.lists.stale-pages.points', 'delivery.method.delete-*'],
  ],
  [
    'one field of a point that can be changed, and only in plain values',
    'points.fixed/all-but-title+texts.alphabet/plain',
    ['delivery.point.update-applies'],
  ],
  [
    'one field of a method that can be changed, and only in plain values',
    'methods.fixed/all-but-title+texts.alphabet/plain',
    ['delivery.method.update-applies'],
  ],
  [
    'another website that is disabled, lists no domains then, and comes first',
    'reseller.list-order/newest-first+reseller.disabled-websites/nothing-of-domains',
    ['reseller.domain.remove-own-website-only'],
  ],
  [
    'a token that ends with the password, where wrong credentials are slowed down',
    'tokens.password-change/none+credentials.locks/slowed-down',
    ['reseller.password.*', 'reseller.token.*'],
  ],
  [
    'bodies of at most 20 kB, into which 100 long points do not fit',
    'requests.size/20-kB',
    ['delivery.batch.accepts-100-points'],
  ],
  [
    'label pages that are taken neither as an address nor as null',
    'methods.null/refused+methods.label-address/none',
    ['delivery.method.create-stores'],
  ],
  [
    'room for one method on a website in one language',
    'site.languages/one+methods.quota/1-more',
    ['delivery.multilanguage.string-accepted'],
  ],
  [
    'an empty city that counts as none, and none as that of the store',
    'values.empty/omitted+points.without-city/of-the-store',
    ['delivery.point.empty-update-applies'],
  ],
  [
    'creates without a handle, where no label page is taken',
    'methods.create-response/envelope+methods.label-address/none',
    ['delivery.method.list-contains-own'],
  ],
  [
    'a subscription that ends when its website is disabled',
    'reseller.premium-rules/ended-by-disable',
    ['reseller.domain.changes-keep-subscription'],
  ],
  [
    'ids in capitals, where references are in small letters',
    'points.id-form/capitals+methods.reference-form/small-slug',
    ['delivery.point.create-stores', 'delivery.point.update-applies'],
  ],
  [
    'login links that are refused like a gateway would, of which two keep visitors out',
    'login.intermediate-page/script+login.wrong-links/two+refusals.status/always-521',
    ['reseller.login.*'],
  ],
  [
    'logins that are locked when the password has changed, as one with a wrong e-mail address was before',
    'tokens.password-change/none+credentials.locks/logins',
    ['reseller.*', 'envelope.reseller.*'],
  ],
  [
    'a login by GET that is refused for an open session, after one by POST that is always refused',
    'reseller.methods/all-get+tokens.number/one-at-a-time',
    ['reseller.authorize.*', 'reseller.login.link'],
  ],
  [
    'texts as objects and codes in lower case, neither of which a store without known languages gets at first',
    'texts.unnamed-languages/string-refused-everywhere+countries.form/lower-case',
    ['delivery.owner.*'],
  ],
  [
    'room for one method, where small pages are refused',
    'lists.page-sizes/at-least-5+methods.quota/1-more',
    ['delivery.lists.points.*'],
  ],
  [
    'the city of the store in points without one, where no two points have the same title',
    'points.without-city/of-the-store+points.unique-texts/unique-title',
    ['delivery.point.create-after-delete', 'delivery.batch.replaces-all'],
  ],
  [
    'translations of a title in the other language of a second store, where an object replaces the title',
    'texts.unnamed-languages/dropped+texts.completed/translated+methods.required-in-updates/both-lists',
    ['delivery.credentials.other-store-keeps-methods'],
  ],
  [
    'languages of the store that a provider does not have, where titles have to be objects',
    'site.languages/many+texts.unnamed-languages/string-refused+texts.length/at-most-128+methods.quota/1-more+fields.length/references-at-most-50',
    ['delivery.handles.*', 'delivery.credentials.provider-key-lists-methods'],
  ],
];

for (const [why, name, globs] of TOGETHER.filter(([why]) => isDrawn(why, SAMPLE)))
  test(`a service is not blamed for ${why}`, async () => {
    const choice = choiceOf(READINGS, name);
    const judgement = judge(choice, await runOnService(choice, { wanted: (id) => matchesAny(id, globs) }));
    assert.deepEqual(problemsIn([{ choice, judgement }]), []);
  });
