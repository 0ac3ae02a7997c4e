/** Login links of websites that the list does not show: neighbouring ids are likely to belong to other resellers. */

import { isJsonObject } from '../../../../contracts/json/object.ts';
import type { RecordId } from '../../../../contracts/json/record-ids.ts';
import type { Context } from '../../../../harness/check/context.ts';
import { isServed } from '../../../../harness/target/response/judge-response.ts';
import { idsIn, websitesOf } from '../records.ts';
import { ask } from './session.ts';

/** Below the last one no website is created any more: one before all others, and one between them. */
function unlistedIds(listed: readonly RecordId[]): RecordId[] {
  const ids = listed.map(BigInt).sort((a, b) => (a < b ? -1 : 1));
  const gap = ids.find((id, at) => at < ids.length - 1 && id + 1n !== ids[at + 1]);
  return [...ids.slice(0, 1).map((id) => id - 1n), ...(gap === undefined ? [] : [gap + 1n])]
    .filter((id) => id > 0n)
    .map(String);
}

/** States that no login link is created for them. Nothing is opened, so that the run signs in to none of them. */
export async function givenNoOtherLinks(context: Context): Promise<void> {
  const { given } = context;
  const reseller = await context.reseller();
  const listed = idsIn((await websitesOf(context)).records);
  for (const id of unlistedIds(listed)) {
    const response = await ask(context, (via) => reseller.createLoginLink(id, via), 'probe');
    if (!isServed(response)) continue;
    const link = isJsonObject(response.json) ? response.json.loginUrl : undefined;
    if (typeof link === 'string' && link !== '') context.secret('OTHER_LOGIN_URL', link);
    // A website may have been moved to the reseller since the list was read.
    const now = await ask(context, (via) => reseller.listWebsites(via));
    const records =
      isJsonObject(now.json) && Array.isArray(now.json.websites) ? now.json.websites.filter(isJsonObject) : [];
    const message = `a login link was created for website ${id}, which is not in the list`;
    given.holds(idsIn(records).includes(id), 'reseller.website.unknown-refused', message, { response });
  }
}
