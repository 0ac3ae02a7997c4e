/** Single mistakes in the profile of a correct service, as an operator may make them. */

/** A profile as in its file, with plain secrets. */
// biome-ignore lint/suspicious/noExplicitAny: a profile before it is checked, of any shape
export type Draft = any;

export interface Mistake {
  readonly name: string;
  readonly make: (profile: Draft) => void;
  /** The key that the output names; the first one if the mistake is about two. */
  readonly key: string;
  /** Words of the remedy. */
  readonly remedy: RegExp;
  /** Found when the profile is read: nothing is sent. */
  readonly refused?: true;
  /** A common mistake: tested on every service. The others are tested on the mock only, unless `PROOFMARK_SOAK=1`. */
  readonly reported?: true;
}

function exchange(a: Draft, nameA: string, b: Draft, nameB: string): void {
  [a[nameA], b[nameB]] = [b[nameB], a[nameA]];
}

export const MISTAKES: readonly Mistake[] = [
  {
    name: 'the keys of store and provider exchanged',
    reported: true,
    make: ({ delivery }) => exchange(delivery.private, 'apiKey', delivery.public, 'apiKey'),
    key: 'delivery.private.apiKey',
    remedy: /Swap the two values/,
  },
  {
    name: 'the keys of the second store and the provider exchanged',
    make: ({ delivery }) => exchange(delivery.private, 'otherApiKey', delivery.public, 'apiKey'),
    key: 'delivery.private.otherApiKey',
    remedy: /Swap the two values/,
  },
  {
    name: 'an order that does not exist',
    reported: true,
    make: ({ delivery }) => {
      delivery.public.orderUuid = '6f0c3f0e-8d0a-4f43-9f6e-2b0f6a3c9d11';
    },
    key: 'delivery.public.orderUuid',
    remedy: /write the id of an order/,
  },
  {
    name: 'the two orders exchanged',
    reported: true,
    make: ({ delivery }) => exchange(delivery.public, 'orderUuid', delivery.public, 'foreignOrderUuid'),
    key: 'delivery.public.orderUuid',
    remedy: /Swap the two values/,
  },
  {
    name: 'one order in both places',
    make: ({ delivery }) => {
      delivery.public.foreignOrderUuid = delivery.public.orderUuid;
    },
    key: 'delivery.public.foreignOrderUuid',
    remedy: /order of another provider/,
    refused: true,
  },
  {
    name: 'a wrong custom field value',
    reported: true,
    make: ({ delivery }) => {
      const [name] = Object.keys(delivery.public.expectedFields);
      delivery.public.expectedFields[name as string] = 'something else';
    },
    key: 'delivery.public.expectedFields',
    remedy: /settings form/,
  },
  {
    name: 'languages of another website',
    reported: true,
    make: ({ website }) => {
      website.languages = ['de', 'fr'];
      website.defaultLanguage = 'de';
      website.pages = undefined;
    },
    key: 'website.languages',
    remedy: /write "/,
  },
  {
    name: 'languages of another website, without an app',
    make: (profile) => {
      profile.website = { ...profile.website, languages: ['de', 'fr'], defaultLanguage: 'de', pages: undefined };
      delete profile.apps;
      profile.absent = ['apps'];
    },
    key: 'website.languages',
    remedy: /write the language codes/,
  },
  {
    name: 'one language too many',
    make: ({ website }) => void website.languages.push('fr'),
    key: 'website.languages',
    remedy: /write "/,
  },
  {
    name: 'one language missing',
    make: ({ website }) => {
      const gone = website.languages.find((code: string) => code !== website.defaultLanguage);
      website.languages = website.languages.filter((code: string) => code !== gone);
      delete website.pages[gone];
    },
    key: 'website.languages',
    remedy: /write "/,
  },
  {
    name: 'the wrong default language',
    reported: true,
    make: ({ website }) => {
      website.defaultLanguage = website.languages.find((code: string) => code !== website.defaultLanguage);
    },
    key: 'website.defaultLanguage',
    remedy: /write "/,
  },
  {
    name: 'a website id that is not the reseller’s',
    reported: true,
    make: ({ reseller }) => {
      reseller.website = 99_999_999;
    },
    key: 'reseller.website',
    remedy: /Write into "reseller\.website" the websiteID/,
  },
  {
    name: 'a domain written as an address',
    reported: true,
    make: ({ reseller }) => {
      reseller.domain = `https://${reseller.domain}/`;
    },
    key: 'reseller.domain',
    remedy: /write "check/,
    refused: true,
  },
  {
    name: 'a domain with www',
    make: ({ reseller }) => {
      reseller.domain = `www.${reseller.domain}`;
    },
    key: 'reseller.domain',
    remedy: /write "check/,
    refused: true,
  },
  {
    name: 'equal authCodes',
    reported: true,
    make: ({ apps }) => {
      apps.otherAuthCode = apps.authCode;
    },
    key: 'apps.otherAuthCode',
    remedy: /second installation/,
    refused: true,
  },
  {
    name: 'the authCodes exchanged',
    make: ({ apps }) => exchange(apps, 'authCode', apps, 'otherAuthCode'),
    key: 'apps.authCode',
    remedy: /[Ss]wap the two codes/,
  },
  {
    name: 'equal keys of both stores',
    make: ({ delivery }) => {
      delivery.private.otherApiKey = delivery.private.apiKey;
    },
    key: 'delivery.private.otherApiKey',
    remedy: /second store/,
    refused: true,
  },
  {
    name: 'the keys of app and store exchanged',
    make: ({ apps, delivery }) => exchange(apps, 'apiKey', delivery.private, 'apiKey'),
    key: 'apps.apiKey',
    remedy: /swap the two values/,
  },
  {
    name: 'the keys of app and provider exchanged',
    make: ({ apps, delivery }) => exchange(apps, 'apiKey', delivery.public, 'apiKey'),
    key: 'apps.apiKey',
    remedy: /swap the two values/,
  },
  {
    name: 'a wrong app key',
    make: ({ apps }) => {
      apps.apiKey = 'not-the-key-of-this-app';
    },
    key: 'apps.apiKey',
    remedy: /write the key of the app/,
  },
  {
    name: 'the pages of two languages exchanged',
    make: ({ website }) => {
      const [a, b] = Object.keys(website.pages);
      exchange(website.pages, a as string, website.pages, b as string);
    },
    key: 'website.pages',
    remedy: /write for each language/,
  },
  {
    name: 'a page that does not exist',
    make: ({ website, v1 }) => {
      website.pages[website.defaultLanguage] = `${new URL(v1).origin}/no/such/page/`;
    },
    key: 'website.pages',
    remedy: /write the address of a public page/,
  },
  {
    name: 'e-mail and password of the reseller exchanged',
    make: ({ reseller }) => exchange(reseller, 'email', reseller, 'password'),
    key: 'reseller.email',
    remedy: /check them in the profile/,
  },
  {
    name: 'a segment too many in the address of Delivery and Apps',
    make: (profile) => {
      profile.v1 = `${profile.v1}v1/`;
    },
    key: 'v1',
    remedy: /write the base address of Delivery and Apps/,
  },
  {
    name: 'a segment too many in the address of Reseller',
    make: (profile) => {
      profile.api = `${profile.api}api/`;
    },
    key: 'api',
    remedy: /write the base address of Reseller/,
  },
  {
    name: 'the scheme of the header in a key',
    make: ({ delivery }) => {
      delivery.private.apiKey = `ApiKey ${delivery.private.apiKey}`;
    },
    key: 'delivery.private.apiKey',
    remedy: /write the key alone/,
    refused: true,
  },
  {
    name: 'a space at the end of an order id',
    make: ({ delivery }) => {
      delivery.public.orderUuid += ' ';
    },
    key: 'delivery.public.orderUuid',
    remedy: /remove it/,
    refused: true,
  },
];
