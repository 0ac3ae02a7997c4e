/** The case of the country in the account settings (spec: Resources and their fields, Reseller account settings (C)). */
import { ACCOUNT_SETTINGS } from '../../../contracts/fields/catalogue/reseller.ts';
import { FORMS } from '../../../contracts/fields/forms.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import { Skipped } from '../../../harness/check/failures.ts';
import { AS_SET } from '../../../harness/check/sending/call-sender.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { SETTINGS } from '../steps/options.ts';
import { settingsOf } from '../steps/records.ts';
import { set, textOf, track } from '../steps/settings.ts';

const CLAUSE = 'reseller.settings.country-in-capitals';

export const checks: readonly Check[] = [
  check(
    CLAUSE,
    'SHOULD return addrCountry in lower case after it was set in upper case',
    { clauses: [CLAUSE], ...SETTINGS },
    async (context) => {
      const form = FORMS[ACCOUNT_SETTINGS.addrCountry.kind];
      const old = textOf((await settingsOf(context)).settings.addrCountry);
      if (!form.holds(old)) throw new Skipped('the account shows no addrCountry in lower case');
      track(context, { name: 'addrCountry', old });
      // The present country, so that nothing but its case could change.
      if (!isServed(await set(context, [['addrCountry', old.toUpperCase()]])))
        throw new Skipped('the target refuses an addrCountry in upper case');
      const { settings, response } = await settingsOf(context, AS_SET);
      const { addrCountry } = settings;
      // Nothing else may meet it in upper case.
      if (addrCountry !== old) await set(context, [['addrCountry', old]], 'back');
      context.expect.that(
        form.isUnset(addrCountry) || form.holds(addrCountry),
        'addrCountry set in upper case must be returned in lower case',
        { expected: form.expected, actual: addrCountry, pointer: '/addrCountry', response },
      );
    },
  ),
];
