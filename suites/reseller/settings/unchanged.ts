/** Settings that can't be changed (spec: Resources and their fields, Reseller account settings (C)). */
import { ACCOUNT_SETTINGS } from '../../../contracts/fields/catalogue/reseller.ts';
import { FORMS } from '../../../contracts/fields/forms.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Skipped } from '../../../harness/check/failures.ts';
import { SETTINGS } from '../steps/options.ts';
import { settingsOf } from '../steps/records.ts';
import { type Candidate, isKnownChangeable, restorable, setSomeText, textOf, track } from '../steps/settings.ts';

const CLAUSE = 'reseller.settings.unchanged-refused';

/** A new address may be shown only when the mail to it was answered. */
const mayWait = ({ name }: Candidate): boolean => name.endsWith('Email');

/** Whether a setting keeps its text where a call that names no other one is served. */
async function isIgnored(context: Context, usual: Candidate): Promise<boolean> {
  const now = async () => textOf((await settingsOf(context)).settings[usual.name]);
  const before = await now();
  const sent = await setSomeText(context, usual);
  if (sent === undefined || sent.fresh === before) return false;
  return (await now()) === before;
}

export const checks: readonly Check[] = [
  check(
    CLAUSE,
    'SHOULD refuse to change a setting that it leaves as it is',
    { clauses: [CLAUSE], ...SETTINGS },
    async (context) => {
      const { settings } = await settingsOf(context);
      // What a setting of another form becomes, the checks of the fields say.
      const isOfItsForm = ({ name }: Candidate): boolean => {
        const form = FORMS[ACCOUNT_SETTINGS[name as keyof typeof ACCOUNT_SETTINGS].kind];
        return form.isUnset(settings[name]) || form.holds(settings[name]);
      };
      const all = (await restorable(context)).filter((one) => isOfItsForm(one) && !mayWait(one));
      if (all.length === 0) throw new Skipped('the account shows no setting that could be set');
      track(context, ...all);
      const ignored: string[] = [];
      for (const usual of all)
        if (!isKnownChangeable(context, usual.name) && (await isIgnored(context, usual))) ignored.push(usual.name);
      context.expect.equal(
        ignored,
        [],
        'a call that sets one setting should be refused if it leaves its text as it is',
        {
          expected: 'a refusal, or the text that was set',
          actual: `success, and the text from before in ${ignored.join(', ')}`,
          pointer: `/${ignored[0] ?? ''}`,
        },
      );
    },
  ),
];
