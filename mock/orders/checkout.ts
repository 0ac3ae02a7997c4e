/** The checkout: which methods a shop offers, and the signed request to a dynamic method's own page. */
import { isHostedAddress } from '../http/addresses.ts';
import { refuse } from '../http/refusal.ts';
import { type Method, ownerOf, type Provider, type Website } from '../state/state.ts';
import type { MockService } from '../types/service.ts';
import { type SignedForm, signed } from './labels.ts';

/** The methods that a store admin may enable: the store's own, and those of approved providers for its country. */
export function methodsForStore(service: MockService, website: Website): Method[] {
  const { rules, state } = service;
  return state.methods.filter(
    (method) =>
      rules.availableTo(method, providerOf(service, method), website) && rules.offeredFrom(method, website.country),
  );
}

/** Switches a method on or off for a store's checkout. Refuses one that is not open to the store. */
export function enableMethod(service: MockService, website: Website, handle: string, enabled: boolean): void {
  if (!methodsForStore(service, website).some((method) => method.handle === handle)) {
    refuse('not-found', 'This delivery method is not open to this store.');
  }
  const others = website.enabledMethods.filter((other) => other !== handle);
  service.change(() =>
    service.state.websites.patch(String(website.id), { enabledMethods: enabled ? [...others, handle] : others }),
  );
}

/** What a shop offers for a destination. `storeCountry` replaces the shop's own country, for tests. */
export function offeredMethods(
  service: MockService,
  website: Website,
  destinationCountry: string,
  storeCountry = website.country,
): Method[] {
  const { rules, state } = service;
  return state.methods.filter(
    (method) =>
      rules.isOffered(website, method) &&
      rules.availableTo(method, providerOf(service, method), website) &&
      rules.offeredFrom(method, storeCountry) &&
      rules.offeredTo(method, destinationCountry),
  );
}

function providerOf(service: MockService, method: Method): Provider | null {
  const [kind, number] = method.owner.split(':') as [string, string];
  return kind === 'provider' ? (service.state.providers.get(number) ?? null) : null;
}

/** The checkout address of a dynamic method: its own, or else its provider's. Null for a method that is not dynamic. */
function checkoutUrlOf(service: MockService, method: Method): string | null {
  return (
    service.state.dynamicCheckouts.get(method.handle)?.checkoutUrl ?? providerOf(service, method)?.checkoutUrl ?? null
  );
}

/** Makes a method dynamic, or static with null. The contract leaves the setup of the address to the service. */
export function setCheckoutUrl(service: MockService, handle: string, checkoutUrl: string | null): void {
  const { state } = service;
  if (!state.methods.has(handle)) refuse('not-found', 'There is no such delivery method.');
  if (checkoutUrl !== null && !isHostedAddress(checkoutUrl)) {
    refuse('invalid', 'The checkout address must be https (http only on a loopback address).');
  }
  service.change(() => {
    if (checkoutUrl === null) state.dynamicCheckouts.delete(handle);
    else state.dynamicCheckouts.set(handle, { handle, checkoutUrl });
  });
}

export interface CheckoutStart {
  readonly websiteId: number;
  readonly handle: string;
  readonly destinationCountry: string;
  readonly language?: string;
}

/** The signed form that sends a buyer to the page of a dynamic method. */
export function startDynamicCheckout(service: MockService, start: CheckoutStart): SignedForm {
  const { rules, state } = service;
  const website = state.websites.get(String(start.websiteId));
  const method = state.methods.get(start.handle);
  const action = method && checkoutUrlOf(service, method);
  if (!website || !method || !action) return refuse('not-found', 'There is no such dynamic delivery method.');
  const owner = ownerOf(state, method.owner);
  if (!owner) return refuse('not-found', 'The owner of this delivery method no longer exists.');
  const cart = [{ id: '501', name: 'Linden honey, 500 g', sku: 'HON-500', quantity: 2, price: '7.90', weight: 650 }];
  const fields = rules.checkoutFields({
    checkoutId: `co_${service.random(12).toString('hex')}`,
    method,
    website,
    destinationCountry: start.destinationCountry,
    language: start.language ?? website.defaultLanguage,
    cart,
    amount: '15.80',
    weightGrams: 1_300,
    returnUrl: `${service.origin}/checkout/${website.alias}/`,
  });
  const form = { action, fields: signed(service, 'checkout', fields, owner.apiKey) };
  service.onSent?.({ kind: 'checkout', url: form.action, fields: form.fields });
  return form;
}
