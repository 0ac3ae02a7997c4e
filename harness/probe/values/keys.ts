/** Where the keys of a profile were refused: whether each of them opens the interface of another, and so was exchanged. */

import { Apps } from '../../target/interfaces/apps.ts';
import { Delivery } from '../../target/interfaces/delivery.ts';
import { isServed } from '../../target/response/judge-response.ts';
import type { Secret } from '../../target/secrets/secret.ts';
import type { Probing } from '../probing.ts';

const APP = 'apps.apiKey';
const CODE = 'apps.authCode';

/** `refused` names the keys of the profile whose call was refused; says more of them than that where it can. */
export async function explainRefusedKeys(
  probing: Probing,
  refused: ReadonlySet<string>,
  explain: (keys: readonly string[], reason: string) => void,
): Promise<void> {
  const { delivery, apps } = probing.profile;
  const { apiKey, authCode, otherAuthCode } = apps ?? {};
  if (!refused.has(CODE) || apiKey === undefined || authCode === undefined) return;
  const stores: readonly (readonly [string, Secret | undefined])[] = [
    ['delivery.private.apiKey', delivery?.private?.apiKey],
    ['delivery.private.otherApiKey', delivery?.private?.otherApiKey],
    ['delivery.public.apiKey', delivery?.public?.apiKey],
  ];
  const opens = async (key: Secret, code: Secret): Promise<boolean> =>
    isServed(await probing.send(new Apps(key, code).getLanguages()));
  for (const [name, key] of stores) {
    if (key === undefined || !refused.has(name) || !(await opens(key, authCode))) continue;
    const opensStore = isServed(await probing.send(new Delivery('private', apiKey).listMethods({ pageSize: 1 })));
    const remedy = opensStore
      ? 'swap the two values in the profile'
      : `write the app's key into "${APP}" and the delivery key into "${name}"`;
    explain(
      [APP, name, CODE],
      `"${APP}" and "${name}" look swapped: the second one opens the Apps interface: ${remedy}`,
    );
    return;
  }
  if (otherAuthCode !== undefined && refused.has('apps.otherAuthCode'))
    explain(
      [APP, CODE],
      `the target refuses "${APP}" with both authCodes: write the key of the app whose installations the codes are into "${APP}", or codes of this app's installations`,
    );
}
