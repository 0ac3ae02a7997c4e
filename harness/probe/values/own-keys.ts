/**
 * Delivery keys that were refused: a service that knows a key, and refuses it all the same, is not a mistake of the profile. Where
 * nothing shows that it knows the key, the sentence names both possibilities.
 */
import { randomUUID } from 'node:crypto';
import { withPair } from '../../target/client/request.ts';
import type { ServiceResponse } from '../../target/client/types.ts';
import { Delivery } from '../../target/interfaces/delivery.ts';
import { nearMissOf } from '../../target/near-miss.ts';
import { isServed } from '../../target/response/judge-response.ts';
import { Secret, sealed } from '../../target/secrets/secret.ts';
import type { Probing } from '../probing.ts';

const STORE_KEYS = ['delivery.private.apiKey', 'delivery.private.otherApiKey'] as const;
const PROVIDER_KEY = 'delivery.public.apiKey';

/** Forms of the header that the contract does not know, and that services of another kind use. */
const OTHER_FORMS: readonly ((key: Secret) => ReturnType<typeof sealed>)[] = [
  (key) => sealed`Bearer ${key}`,
  (key) => sealed`${key}`,
];

/** What the target's refusals say of the delivery keys. */
export interface RefusedKeys {
  /** Keys of the profile that the service takes elsewhere: its checks judge the refusal. */
  readonly known: readonly string[];
  /** A sentence for each of the others. */
  readonly unclear: Readonly<Record<string, string>>;
}

/** Inspects each delivery key in `refused`, names of the profile with the status of the refusal. */
export async function inspectRefusedKeys(probing: Probing, refused: ReadonlyMap<string, number>): Promise<RefusedKeys> {
  const { private: store, public: provider } = probing.profile.delivery ?? {};
  const keys = [
    ['private', STORE_KEYS[0], store?.apiKey],
    ['other', STORE_KEYS[1], store?.otherApiKey],
    ['public', PROVIDER_KEY, provider?.apiKey],
  ] as const;
  const served = keys.flatMap(([, name, key]) => (key !== undefined && !refused.has(name) ? [name] : []));
  const known: string[] = [];
  const unclear: Record<string, string> = {};
  for (const [owner, name, key] of keys) {
    const status = refused.get(name);
    if (key === undefined || status === undefined) continue;
    const delivery = new Delivery(owner, key);
    const nearMiss = new Delivery(owner, new Secret(`${key.name}_NEAR_MISS`, nearMissOf(key.reveal())));
    if (await isTakenElsewhere(probing, delivery, nearMiss)) known.push(name);
    else unclear[name] = sentence(name, status, served);
  }
  return { known, unclear };
}

/** Whether another form of the header or another call opens with the key, and not with a key that is almost it. */
async function isTakenElsewhere({ send }: Probing, delivery: Delivery, nearMiss: Delivery): Promise<boolean> {
  for (const form of OTHER_FORMS) {
    const ask = (one: Delivery): Promise<ServiceResponse> =>
      send(withPair(one.listMethods({ pageSize: 1 }), 'headers', 'Authorization', form(one.key)));
    if (isServed(await ask(delivery)) && !isServed(await ask(nearMiss))) return true;
  }
  const handle = randomUUID();
  const isUnauthorized = async (one: Delivery): Promise<boolean> =>
    [401, 403].includes((await send(one.readMethod(handle))).status);
  return !(await isUnauthorized(delivery)) && (await isUnauthorized(nearMiss));
}

function sentence(name: string, status: number, served: readonly string[]): string {
  const isStore = name !== PROVIDER_KEY;
  const kind = isStore ? 'the keys of stores' : 'the keys of delivery providers';
  const others = served.filter((one) => (one !== PROVIDER_KEY) !== isStore);
  const beside = others.length === 0 ? '' : `, and accepts ${others.map((one) => `"${one}"`).join(' and ')}`;
  return `The target refuses "${name}" in every call (status ${status})${beside}. Either the key in the profile is wrong or the service refuses ${kind}, and no other response decides: compare the key with the one in ${isStore ? "the store's settings (API section)" : 'the provider setup portal'}; if you have verified it, run with --trust ${name}, and the refusal counts against the service`;
}
