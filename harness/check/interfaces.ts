/** Whose interfaces a check calls: each with the credentials of its owner, who can be exchanged for a run of a property. */
import type { MethodOwner } from '../cleanup/ledger.ts';
import { Apps } from '../target/interfaces/apps.ts';
import { Delivery } from '../target/interfaces/delivery.ts';
import type { Profile } from '../target/profile/types.ts';
import type { Given } from './given/index.ts';

/** A credential that the profile lacks makes the check inconclusive when it is called for. */
export class Interfaces {
  readonly #given: Given;
  #owner: MethodOwner = 'private';
  #isProviderSecond = false;
  #profile: Profile;

  constructor(profile: Profile, given: Given) {
    this.#profile = profile;
    this.#given = given;
  }

  /** The profile of the run, without what it does not state about the present owner. */
  get profile(): Profile {
    return this.#profile;
  }

  /**
   * From now on `delivery` is the interface of this owner, and `otherDelivery` that of a store which is not this owner. The website
   * of the profile is not theirs: the languages of texts are not known then.
   */
  actAs(owner: MethodOwner): void {
    if (owner === 'private') return;
    // Their country is unknown; that of the store serves as a value of a field.
    const unknown = { languages: undefined, defaultLanguage: undefined, pages: undefined };
    this.#owner = owner;
    this.#profile = { ...this.#profile, website: { country: this.#profile.website?.country, ...unknown } };
    this.#given.languages = [];
  }

  /** The store whose key is `delivery.private.apiKey`, unless `actAs` named another owner. */
  get delivery(): Delivery {
    if (this.#owner === 'other') return this.#secondStore;
    return this.#owner === 'public' ? this.provider : this.#firstStore;
  }

  /** From now on the delivery provider is the owner of `otherDelivery`. */
  takeProviderAsSecond(): void {
    this.#isProviderSecond = true;
  }

  /** A store which owns nothing of what `delivery` owns; a delivery provider after `takeProviderAsSecond`. */
  get otherDelivery(): Delivery {
    if (this.#owner === 'other') return this.#firstStore;
    return this.#isProviderSecond ? this.provider : this.#secondStore;
  }

  get #firstStore(): Delivery {
    const { apiKey } = this.#profile.delivery?.private ?? {};
    return new Delivery('private', this.#given.configured(apiKey, 'delivery.private.apiKey'));
  }

  get #secondStore(): Delivery {
    const { otherApiKey } = this.#profile.delivery?.private ?? {};
    return new Delivery('other', this.#given.configured(otherApiKey, 'delivery.private.otherApiKey'));
  }

  /** The delivery provider with the global key. */
  get provider(): Delivery {
    const { apiKey } = this.#profile.delivery?.public ?? {};
    return new Delivery('public', this.#given.configured(apiKey, 'delivery.public.apiKey'));
  }

  get apps(): Apps {
    const { apiKey, authCode } = this.#profile.apps ?? {};
    return new Apps(this.#given.configured(apiKey, 'apps.apiKey'), this.#given.configured(authCode, 'apps.authCode'));
  }

  /** A second installation of the same app. */
  get otherApps(): Apps {
    const { apiKey, otherAuthCode } = this.#profile.apps ?? {};
    return new Apps(
      this.#given.configured(apiKey, 'apps.apiKey'),
      this.#given.configured(otherAuthCode, 'apps.otherAuthCode'),
    );
  }
}

/** The profile as if the store were in this country. */
export const inCountry = (profile: Profile, country: string): Profile =>
  profile.website === undefined ? profile : { ...profile, website: { ...profile.website, country } };
