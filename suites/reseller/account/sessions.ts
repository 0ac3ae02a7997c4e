/** What one session of an account changes is there for all of them (spec: Endpoints, C. Reseller endpoints). */
import { resourceOf } from '../../../contracts/envelopes/index.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { atOnce } from '../../../harness/process/at-once.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import type { Reseller } from '../../../harness/target/interfaces/reseller.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { ATTACHES, add, givenDomainAccepted, idOf, isNamed, remove, reserve, runDomain } from '../steps/domains.ts';
import { ask, type Build, login, website, withOwnSessions } from '../steps/login/session.ts';
import { BILLING, DOMAINS, SETTINGS } from '../steps/options.ts';
import { recordOf } from '../steps/records.ts';
import { changed, givenQuietSettings, textOf } from '../steps/settings.ts';
import { isPremium, upgrade, withoutSubscription } from '../steps/website/subscription.ts';

const APPLIES = 'reseller.settings.set-applies';
const DETACHES = 'reseller.domain.remove-detaches';
const ENABLES = 'reseller.premium.enable';

/** Asserts that a session shows a setting as another one has set it. A session that has ended by now shows nothing. */
async function expectShown(
  context: Context,
  session: Reseller,
  [name, text]: readonly [name: string, text: string],
  message: string,
): Promise<void> {
  const response = await ask(context, (via) => session.readSettings(via));
  if (!isServed(response)) return;
  const settings = resourceOf(response.json, 'settings');
  const shown = isJsonObject(settings) ? textOf(settings[name]) : undefined;
  await givenQuietSettings(context, shown === text ? [] : [name]);
  context.expect.equal(shown, text, message, { pointer: `/${name}`, response });
}

export const checks: readonly Check[] = [
  check(
    'reseller.account.sessions-share-settings',
    'MUST return a setting in every session as it was set in another one',
    { clauses: [APPLIES], ...SETTINGS },
    withOwnSessions(async (context) => {
      const [{ name, old, fresh }] = await changed(context);
      const older = await context.reseller();
      const newer = await login(context);
      await expectShown(context, newer, [name, fresh], `a new session must return ${name} as an older one has set it`);
      const back = ask(context, (via) => newer.changeSettings([[name, old]], via), 'set');
      await context.given.accepted(back, APPLIES);
      await expectShown(context, older, [name, old], `an older session must return ${name} as a new one has set it`);
    }),
  ),
  check(
    'reseller.account.sessions-share-domains',
    'MUST list in every session a domain that another one has added, and not one that it has removed',
    { clauses: [ATTACHES, DETACHES], ...DOMAINS },
    withOwnSessions(async (context) => {
      const { given, expect } = context;
      const name = runDomain(context);
      // The session that adds and removes is the older one.
      await context.reseller();
      const reader = await login(context);
      const listed = () => listedIn(context, reader.listDomains.bind(reader, website(context)), 'domains');
      // What a session keeps, it keeps from its first reading.
      await atOnce([() => reserve(context), listed]);
      const added = await add(context);
      givenDomainAccepted(context, added, name);
      await given.accepted(added, ATTACHES);
      const [id, after] = await atOnce([() => idOf(context), listed]);
      expect.that(
        after?.records.some((record) => isNamed(record, name)) !== false,
        `${name} must be listed in every session after one has added it`,
        {
          clauses: [ATTACHES],
          ...(after && { response: after.response }),
        },
      );
      await given.accepted(remove(context, id), DETACHES);
      const without = await listed();
      expect.that(
        without?.records.some((record) => isNamed(record, name)) !== true,
        `${name} must be listed in no session after one has removed it`,
        {
          clauses: [DETACHES],
          ...(without && { response: without.response }),
        },
      );
    }),
  ),
  check(
    'reseller.account.sessions-share-subscription',
    'MUST show in every session the subscription that another one has started',
    { clauses: [ENABLES], ...BILLING },
    withOwnSessions(async (context) => {
      const reader = await login(context);
      const listed = () => listedIn(context, reader.listWebsites.bind(reader), 'websites');
      await atOnce([listed, () => withoutSubscription(context)]);
      const started = await upgrade(context, 'premium');
      await context.given.accepted(started, ENABLES);
      // Each response is judged by its form: a balance that is charged may have another one.
      const [shown] = await atOnce([listed, () => ask(context, (via) => reader.readBalance(via))]);
      const record = shown && recordOf(shown.records, website(context));
      const isShown = record === undefined || record.websiteIsPremium !== false;
      // One that no session shows is not the session's.
      if (!isShown)
        context.given.holds(await isPremium(context), ENABLES, 'the website is not premium after its upgrade');
      context.expect.that(
        isShown,
        'websiteIsPremium must be true in every session after one has started a subscription',
        {
          expected: true,
          actual: false,
          ...(shown && { response: shown.response }),
        },
      );
    }),
  ),
];

/** The records that a session lists. A session that has ended by now lists none. */
async function listedIn(
  context: Context,
  build: Build,
  name: 'domains' | 'websites',
): Promise<{ readonly records: readonly Json[]; readonly response: ServiceResponse } | undefined> {
  const response = await ask(context, build);
  const records = isServed(response) && isJsonObject(response.json) ? response.json[name] : undefined;
  return Array.isArray(records) ? { records: records.filter(isJsonObject), response } : undefined;
}
