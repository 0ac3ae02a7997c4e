import type { Undecided } from '../reading.ts';

/**
 * What an answer leaves undecided, by its name, to be read line by line against the contract. `because`: no check can decide it on
 * such a service. `open`: a better check could, and has yet to be written.
 */
export type Undecidable = { readonly checks: readonly string[]; readonly because: string } | { readonly open: string };

const SEVERAL_METHODS = [
  'delivery.handles.*',
  'delivery.batch.several-handles*',
  'delivery.batch.other-methods-keep-points',
  'delivery.batch.uploads-of-two-methods-separate',
  'delivery.method.handle-unique',
  'delivery.method.*-leaves-other-methods',
  'delivery.point.list-of-one-method',
  'delivery.point.same-id-in-two-methods',
];
const ONE_METHOD = 'The rule is about two methods that the run may change, and the owner can have only one.';
const MORE_POINTS = 'The rule is about more points than a method can have here: several portions, or many pages.';
const NO_DECORATED_ID =
  'No id with spaces, reserved characters or letters of other scripts is accepted, so none can be read.';
const NO_BRANDNAME = 'An empty field does not show its format.';
const NO_BROWSER = 'The page behind the link needs a browser, and these services are judged without one.';

const OF_TWO_COUNTRIES = [
  'delivery.batch.country-keeps-others',
  'delivery.batch.country-in-portions',
  'delivery.batch.ids-unique-across-countries',
];
/** Checks of methods that are not for the store's own country. */
const ABROAD = ['delivery.countries.from-restricts', 'delivery.countries.public-methods-filtered'];
const ONE_COUNTRY = 'The rule is about points or methods of two countries, and the store has one.';
/** Checks that need a setting which takes another text. */
const SETTINGS = [
  'reseller.settings.*',
  'reseller.token.settings-refuses',
  'reseller.calls.settings*',
  'envelope.reseller.*settings*',
  'reseller.account.refused-settings',
  'reseller.account.nothing-else-changes-sessions',
  'reseller.account.sessions-share-settings',
];
const NEEDS_FIELDS = {
  checks: ['*.update-keeps-omitted-fields'],
  because: 'An update that leaves out the fields of the rule is refused.',
};
const NOT_BACK = 'The old password is not accepted again, so passwords are not tested further.';
const PASSWORDS = ['reseller.password.*', 'reseller.calls.password-*', 'reseller.token.password-refuses'];
const DOMAINS = [
  'reseller.domain.*',
  'reseller.account.*domain*',
  'reseller.calls.domain*',
  'reseller.token.domain*',
  'envelope.reseller.*domain*',
];
const PREMIUM = [
  'reseller.premium.*',
  'reseller.balance.*',
  'reseller.calls.premium*',
  'reseller.domain.changes-keep-subscription',
  'reseller.domain.kept-by-upgrade',
  'reseller.token.premium-refuses',
  'reseller.website.*',
  'reseller.account.*premium',
  'reseller.account.*subscription',
  'envelope.reseller.*premium',
];

/** Checks that compare what a checkout offers of five methods at a time. */
const OFFERED = ['delivery.countries.*'];
/** Checks of orders that were bought with different methods, one of which the buyer had not. */
const OF_ORDERS = [
  ...['labels.button.hidden-without-url', 'labels.request.order-uuid-identifies-order'],
  ...['labels.request.invoice-id-unique', 'labels.request.pickup-point-id', 'labels.request.buyer-address-*'],
  ...['labels.request.signature-of-provider', 'labels.settings.order-with-store-method'],
  ...['labels.callback.*-for-provider', 'checkout.request.*'],
];
const FIVE_METHODS = 'A checkout shows which methods it leaves out beside others that it offers, five at a time.';

export const UNDECIDED: Readonly<Record<string, Undecidable>> = {
  'methods.quota/1-more': { checks: [...SEVERAL_METHODS, ...OFFERED, ...OF_ORDERS], because: ONE_METHOD },
  'methods.quota/2-more': {
    checks: ['delivery.handles.others-untouched', ...OFFERED, 'labels.button.*', 'labels.request.buyer-address-*'],
    because:
      'The rule is about a method beside two others, whether a call names them or orders were bought with them, and the owner can have only two that the run may change.',
  },
  'methods.required/filled-lists': {
    checks: ['delivery.countries.unrestricted-offered'],
    because: 'No method without lists of countries is accepted.',
  },
  'methods.required/every-field-filled': {
    checks: ['delivery.countries.unrestricted-offered'],
    because: 'No method without lists of countries is accepted.',
  },
  'methods.quota/3-more': {
    checks: [...OFFERED, 'labels.button.hidden-without-url'],
    because: `${FIVE_METHODS} The other rule needs a method beside the three that orders with a label were bought with.`,
  },
  'methods.quota/3-more-429': {
    checks: [...OFFERED, 'labels.*', 'checkout.*'],
    because:
      'The methods that a checkout offers are compared with each other, five at a time; the refusal of the fourth looks like a rate limit, which closes the way for those of the orders.',
  },
  'points.quota/100': { checks: ['delivery.batch.*', 'delivery.lists.*'], because: MORE_POINTS },
  'points.quota/120': { checks: ['delivery.batch.*', 'delivery.lists.*'], because: MORE_POINTS },
  'points.quota/150': { checks: ['delivery.batch.*', 'delivery.lists.*'], because: MORE_POINTS },
  'points.quota/200': { checks: ['delivery.batch.*', 'delivery.lists.*'], because: MORE_POINTS },
  'points.quota/250': { checks: ['delivery.batch.*', 'delivery.lists.*'], because: MORE_POINTS },
  'points.id-form/slug': {
    checks: ['delivery.point.id-any-characters', 'properties.points.ids'],
    because: NO_DECORATED_ID,
  },
  'points.id-form/digits': {
    checks: ['delivery.point.id-any-characters', 'properties.points.ids'],
    because: NO_DECORATED_ID,
  },
  'points.id-form/capitals': {
    checks: ['delivery.point.id-any-characters', 'properties.points.ids'],
    because: NO_DECORATED_ID,
  },
  'points.id-form/short-slug': {
    checks: ['delivery.point.id-any-characters', 'properties.points.ids'],
    because: NO_DECORATED_ID,
  },
  'methods.label-address/none': {
    checks: ['delivery.method.print-label-url-*', 'labels.*'],
    because: 'No address of a label page is accepted, so none can be read.',
  },
  'reseller.domain-demands/own-dns-only': {
    checks: DOMAINS,
    because: 'No domain can be attached, so attaching and removing one cannot be judged.',
  },
  'reseller.domain-demands/3-in-all': {
    checks: DOMAINS,
    because: 'More domains are attached to judge all rules than the account can attach.',
  },
  'reseller.domain-demands/20-in-all': {
    checks: DOMAINS,
    because: 'More domains are attached to judge all rules than the account can attach.',
  },
  'reseller.premium-rules/credit-for-four': {
    checks: PREMIUM,
    because: 'More subscriptions are started to judge all rules than the account can pay.',
  },
  'methods.required/label-page': {
    checks: ['delivery.method.print-label-url-null-otherwise', 'labels.button.hidden-without-url'],
    because:
      'No method can be made without a label page, so none can show that the address is null and the button hidden then.',
  },
  'reseller.record-values/empty-texts': { checks: ['apps.website.brandname'], because: NO_BRANDNAME },
  'apps.record-values/empty-brandname': { checks: ['apps.website.brandname'], because: NO_BRANDNAME },
  'reseller.settings-fixed/none': {
    checks: SETTINGS,
    because: 'No setting can be changed, so changes cannot be judged.',
  },
  'reseller.premium-rules/until-period-ends': {
    checks: PREMIUM,
    because: 'The website cannot be restored to a state without a subscription, and only such a website is upgraded.',
  },
  'reseller.premium-rules/stopped-once': {
    checks: PREMIUM,
    because: 'The website cannot be restored to a state without a subscription, and only such a website is upgraded.',
  },
  'reseller.premium-rules/unpaid-invoice': {
    checks: PREMIUM,
    because: 'No subscription can be started, so starting and stopping one cannot be judged.',
  },
  'reseller.premium-rules/no-credit': {
    checks: PREMIUM,
    because: 'No subscription can be bought, so starting and stopping one cannot be judged.',
  },
  'apps.installed-again/refused': {
    checks: ['apps.installed.*', 'apps.credentials.every-write', 'envelope.apps.writing.*'],
    because: 'The installation of the profile is already finished, so no such call is served.',
  },
  'paths.unknown/served': {
    checks: ['envelope.*.unknown-path-envelope'],
    because: 'Every unknown path is served, so no refusal can be judged.',
  },
  'login.intermediate-page/button': {
    checks: ['reseller.login.*', 'reseller.token.login-link-refuses'],
    because: NO_BROWSER,
  },
  'login.intermediate-page/script': {
    checks: ['reseller.login.*', 'reseller.token.login-link-refuses'],
    because: NO_BROWSER,
  },

  'passwords.repeated/none-of-before': { checks: PASSWORDS, because: NOT_BACK },
  'passwords.repeated/one-change': { checks: PASSWORDS, because: NOT_BACK },
  'login.attempts/thirty-in-all': {
    checks: PASSWORDS,
    because: 'Each password is tried by a login, and the checks before these use up the logins that are served.',
  },
  'reseller.settings-extremes/all-empty': {
    checks: ['reseller.settings.strings', 'reseller.settings.country', 'reseller.settings.tlds'],
    because: 'An empty setting does not show its format.',
  },

  'countries.form/own-only': { checks: [...OF_TWO_COUNTRIES, ...ABROAD], because: ONE_COUNTRY },
  'countries.form/own-only-elsewhere': { checks: [...OF_TWO_COUNTRIES, ...ABROAD], because: ONE_COUNTRY },
  'uploads.demands/full-portions': {
    open: 'The checks of portions send two or three points in each; ten would do as well.',
  },
  'methods.required-in-updates/every-field': NEEDS_FIELDS,
  'methods.required-in-updates/every-field-filled': NEEDS_FIELDS,
  'points.required-in-updates/country': NEEDS_FIELDS,
  'points.required-in-updates/every-field': NEEDS_FIELDS,
  'points.required-in-updates/every-field-filled': NEEDS_FIELDS,
  'reseller.settings-required/all': {
    checks: SETTINGS,
    because: 'Each change would also write the texts of settings that were never set, which a run avoids.',
  },
  'texts.unnamed-languages/string-refused': {
    checks: ['delivery.owner.*', 'delivery.credentials.provider-key-*', 'delivery.credentials.other-store-every-form'],
    because:
      'The profile does not name the languages of the second store, or of those that see the methods of a provider: only a string can be sent there.',
  },
};

/** The same for answers that only together leave checks undecided. */
export interface UndecidedTogether extends Undecided {
  /** Names of answers; all of them have to be given. */
  readonly answers: readonly string[];
}

/** Rules about several pages of methods. */
const PAGES_OF_METHODS = ['page-size', 'next-link', 'desc-later-pages'];
const FEW_METHODS_MORE = ['1-more', '2-more', '3-more', '3-more-429', '6-more'];

export const UNDECIDED_TOGETHER: readonly UndecidedTogether[] = [
  ...FEW_METHODS_MORE.flatMap((quota) =>
    ['at-least-5', 'at-least-10', 'some', 'tens'].map((sizes) => ({
      answers: [`lists.page-sizes/${sizes}`, `methods.quota/${quota}`],
      checks: ['methods', 'own-methods'].flatMap((list) =>
        (sizes === 'at-least-5' ? ['desc-later-pages'] : PAGES_OF_METHODS).map(
          (rule) => `delivery.lists.${list}.${rule}`,
        ),
      ),
      because:
        'The rule is about several pages of methods, and the owner can have too few for pages of the sizes that are taken.',
    })),
  ),
  ...['10-more', '10-more-429'].flatMap((quota) =>
    ['at-least-10', 'some', 'tens'].map((sizes) => ({
      answers: [`lists.page-sizes/${sizes}`, `methods.quota/${quota}`],
      checks: PAGES_OF_METHODS.map((rule) => `delivery.lists.methods.${rule}`),
      because:
        'Without methods of its own the check finds too few for two pages; the one that makes some decides the rule.',
    })),
  ),
  ...['title', 'all-but-reference'].flatMap((method) =>
    ['title', 'all-but-city'].map((point) => ({
      answers: [`methods.fixed/${method}`, `points.fixed/${point}`],
      checks: ['delivery.multilanguage.*'],
      because: 'Titles are the only multilanguage text of the interface, and neither of the two can be changed.',
    })),
  ),
  {
    answers: ['points.quota/100', 'uploads.demands/one-at-a-time'],
    checks: ['delivery.batch.*', 'envelope.delivery.*', 'properties.*'],
    because:
      'With so little room calls are refused in the middle of an upload, which keeps others from beginning until its method is deleted.',
  },
  {
    answers: ['texts.length/at-most-20', 'reseller.settings-fixed/link-only'],
    checks: SETTINGS,
    because: 'The only setting that can be changed has a longer text than is accepted, so it could not be restored.',
  },
  {
    answers: ['reseller.settings-fixed/notify-only', 'reseller.settings-values/checked-links'],
    checks: SETTINGS,
    because:
      'The only setting that can be changed takes only names of hosts that exist, to which notifications would be sent.',
  },
  {
    answers: ['reseller.settings-extremes/all-empty', 'reseller.settings-record/omitted'],
    checks: SETTINGS,
    because: 'All settings are empty and none is shown, so their old values are unknown.',
  },
  {
    answers: ['reseller.settings-extremes/all-empty', 'reseller.settings-values/not-empty'],
    checks: SETTINGS,
    because: 'All settings are empty, and the empty value could not be restored.',
  },
  ...['link-only', 'phone-only', 'notify-only'].flatMap((only) => [
    {
      answers: [`reseller.settings-fixed/${only}`, 'reseller.settings-record/omitted'],
      checks: SETTINGS,
      because: 'The only setting that can be changed is empty and not shown, so its old value is unknown.',
    },
    {
      answers: [`reseller.settings-fixed/${only}`, 'reseller.settings-values/not-empty'],
      checks: SETTINGS,
      because: 'The only setting that can be changed is empty, and the empty value could not be restored.',
    },
  ]),
];
