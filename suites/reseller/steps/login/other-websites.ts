/** Login links of websites that the list does not show: neighbouring ids are likely to belong to other resellers. */
import type { Context } from '../../../../harness/check/context.ts';
import { isObject, isServed } from '../../../../harness/target/response/judge-response.ts';
import { idsIn, websitesOf } from '../records.ts';

/** States that no login link is created for them. Nothing is opened, so that nobody is signed in. */
export async function givenNoOtherLinks(context: Context): Promise<void> {
  const { given, send } = context;
  const reseller = await context.reseller();
  const listed = idsIn((await websitesOf(context)).records);
  for (const id of [Math.min(...listed) - 1, Math.max(...listed) + 1]) {
    if (!(id > 0 && Number.isSafeInteger(id))) continue;
    const response = await send(reseller.createLoginLink(id, 'POST'), 'probe');
    if (!isServed(response)) continue;
    const link = isObject(response.json) ? response.json.loginUrl : undefined;
    if (typeof link === 'string' && link !== '') context.secret('OTHER_LOGIN_URL', link);
    // A user may have created a website since the list was read.
    const now = await send(reseller.listWebsites('POST'), 'read');
    const records = isObject(now.json) && Array.isArray(now.json.websites) ? now.json.websites.filter(isObject) : [];
    const message = `a login link was created for website ${id}, which is not in the list`;
    given.holds(idsIn(records).includes(id), 'reseller.website.unknown-refused', message, { response });
  }
}
