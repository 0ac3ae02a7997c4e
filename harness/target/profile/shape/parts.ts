/** The parts of a profile, from the values that `reader.ts` resolved; rules between fields are checked here. */
import { Secret } from '../../secrets/secret.ts';
import type { AppsPart, Profile, ResellerPart, WebsitePart } from '../types.ts';
import type { Value } from './reader.ts';

/** Takes a problem: the path of the field, and a sentence. */
export type ReportProblem = (path: string, message: string) => void;

/** Reads the resolved values by their types; the shape was checked before. */
export class Fields {
  readonly #value: Readonly<Record<string, Value>>;
  constructor(value: Value) {
    this.#value = value as Readonly<Record<string, Value>>;
  }
  #own(key: string): Value | undefined {
    return Object.hasOwn(this.#value, key) ? this.#value[key] : undefined;
  }
  text(key: string): string | undefined {
    const value = this.#own(key);
    return typeof value === 'string' ? value : undefined;
  }
  number(key: string): number | undefined {
    const value = this.#own(key);
    return typeof value === 'number' ? value : undefined;
  }
  secret(key: string): Secret | undefined {
    const value = this.#own(key);
    return value instanceof Secret ? value : undefined;
  }
  texts(key: string): readonly string[] {
    const value = this.#own(key);
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  }
  part(key: string): Fields | undefined {
    const value = this.#own(key);
    return value === undefined ? undefined : new Fields(value);
  }
  keys(): readonly string[] {
    return Object.keys(this.#value);
  }
  map(): Record<string, string> {
    const pairs = Object.entries(this.#value).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
    return Object.fromEntries(pairs);
  }
  secrets(): [string, Secret][] {
    return Object.entries(this.#value).filter((pair): pair is [string, Secret] => pair[1] instanceof Secret);
  }
}

export function deliveryOf(part: Fields | undefined): Profile['delivery'] {
  if (part === undefined) return undefined;
  const own = part.part('private');
  const provider = part.part('public');
  return {
    private: own && { apiKey: own.secret('apiKey'), otherApiKey: own.secret('otherApiKey') },
    public: provider && {
      apiKey: provider.secret('apiKey'),
      orderUuid: provider.text('orderUuid'),
      foreignOrderUuid: provider.text('foreignOrderUuid'),
      expectedFields: provider.part('expectedFields')?.map(),
    },
  };
}

export function websiteOf(part: Fields | undefined, complain: ReportProblem): WebsitePart | undefined {
  if (part === undefined) return undefined;
  const languages = part.texts('languages');
  const defaultLanguage = part.text('defaultLanguage');
  const pages = part.part('pages')?.map();
  if (languages.length > 0) {
    if (defaultLanguage !== undefined && !languages.includes(defaultLanguage)) {
      complain(
        'website.defaultLanguage',
        `"website.defaultLanguage" is "${defaultLanguage}", which is not one of "website.languages".`,
      );
    }
    for (const language of Object.keys(pages ?? {})) {
      if (!languages.includes(language)) {
        complain(
          `website.pages.${language}`,
          `"website.pages" names the language "${language}", which is not one of "website.languages".`,
        );
      }
    }
  }
  return {
    languages: languages.length > 0 ? languages : undefined,
    defaultLanguage,
    country: part.text('country'),
    // A "pages" without a page counts as missing: the checks of pages need one.
    pages: Object.keys(pages ?? {}).length > 0 ? pages : undefined,
  };
}

export function appsOf(part: Fields | undefined): AppsPart | undefined {
  if (part === undefined) return undefined;
  return {
    apiKey: part.secret('apiKey'),
    appId: part.text('appId'),
    appSecret: part.secret('appSecret'),
    tabMode: part.text('tabMode') as AppsPart['tabMode'],
    authCode: part.secret('authCode'),
    otherAuthCode: part.secret('otherAuthCode'),
  };
}

export function resellerOf(part: Fields | undefined): ResellerPart | undefined {
  if (part === undefined) return undefined;
  return {
    email: part.secret('email'),
    password: part.secret('password'),
    website: part.text('website'),
    domain: part.text('domain'),
  };
}
