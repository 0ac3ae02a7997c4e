/** Whether the website of a profile is one of the reseller's, and its domain attached to none of them. */

import { isSameDomain } from '../../../contracts/fields/domain-names.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { type RecordId, recordId } from '../../../contracts/json/record-ids.ts';
import type { ServiceResponse } from '../../target/client/types.ts';
import { Reseller } from '../../target/interfaces/reseller.ts';
import { isRefused, isServed } from '../../target/response/judge-response.ts';
import { Secret } from '../../target/secrets/secret.ts';
import { type Probing, refusalOf } from '../probing.ts';

const WEBSITE = 'reseller.website';
const DOMAIN = 'reseller.domain';

/** No website has it: ids count up from one. */
const UNKNOWN_WEBSITE: RecordId = '2147483629';
/** A domain may be attached to any website of the account; more of them are not asked, since each is a request. */
const MAX_WEBSITES = 10;

/** `login` is the response to the login with the profile's account. */
export async function probeReseller(probing: Probing, login: ServiceResponse | undefined): Promise<void> {
  const token = login !== undefined && isServed(login) && isJsonObject(login.json) ? login.json.apiToken : undefined;
  const { website, domain } = probing.profile.reseller ?? {};
  if (typeof token !== 'string' || token === '' || website === undefined) return;
  const reseller = new Reseller(new Secret('API_TOKEN', token));
  const response = await probing.send(reseller.listWebsites());
  const list = isServed(response) && isJsonObject(response.json) ? response.json.websites : undefined;
  if (!Array.isArray(list) || !list.every(isJsonObject)) return;
  const ids = list.map((record) => recordId(record, 'websiteID')).filter((id) => id !== undefined);
  const own = await probing.send(reseller.listDomains(website));
  if (list.length > 0 && !ids.includes(website)) {
    if (ids.length < list.length) return;
    const refusal = refusalOf(own, website);
    const ofUnknown = await probing.send(reseller.listDomains(UNKNOWN_WEBSITE));
    // Served although it is not listed: then the list is wrong, and a check says so.
    if (isRefused(own) !== 'refused' || refusal !== refusalOf(ofUnknown, UNKNOWN_WEBSITE)) return;
    probing.unfit(
      WEBSITE,
      `Website ${website} does not belong to the reseller: the list of websites does not contain it, and the service refuses its domains like those of an unknown id. Write into "${WEBSITE}" the websiteID of a test website without a subscription (listed: ${ids.slice(0, MAX_WEBSITES).join(', ')}${ids.length > MAX_WEBSITES ? ', …' : ''})`,
    );
    return;
  }
  if (domain !== undefined) await probeDomain(probing, reseller, domain, [website, ...ids], own);
}

async function probeDomain(
  probing: Probing,
  reseller: Reseller,
  domain: string,
  ids: readonly RecordId[],
  ofFirst: ServiceResponse,
): Promise<void> {
  for (const [at, id] of [...new Set(ids)].slice(0, MAX_WEBSITES).entries()) {
    const response = at === 0 ? ofFirst : await probing.send(reseller.listDomains(id));
    if (!isServed(response) || !isJsonObject(response.json) || !Array.isArray(response.json.domains)) continue;
    const isAttached = response.json.domains.some(
      (record) => isJsonObject(record) && isSameDomain(String(record.domain), domain),
    );
    if (!isAttached) continue;
    probing.unfit(
      DOMAIN,
      `The domain of "${DOMAIN}" is attached to website ${id} already, so a run can't attach it: write the name of a domain that is attached to no website (or run proofmark sweep if an interrupted run left it there)`,
    );
    return;
  }
}
