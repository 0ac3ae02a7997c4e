/** Settings that can't be changed (spec: Resources and their fields, Reseller account settings (C)). */
import { ACCOUNT_SETTINGS } from '../../../contracts/fields/catalogue/reseller.ts';
import { FORMS } from '../../../contracts/fields/forms.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Skipped } from '../../../harness/check/failures.ts';
import { SETTINGS } from '../steps/options.ts';
import { settingsOf } from '../steps/records.ts';
import {
  type Candidate,
  givenQuietSettings,
  isKnownChangeable,
  restorable,
  setSomeText,
  textOf,
  track,
} from '../steps/settings.ts';

const CLAUSE = 'reseller.settings.unchanged-refused';

/** A new address may be shown only when the mail to it was answered. */
const mayWait = ({ name }: Candidate): boolean => name.endsWith('Email');

/** What comes of a call that sets one setting and names no other one. */
async function outcomeOf(context: Context, usual: Candidate): Promise<'refused' | 'changed' | 'ignored'> {
  if (isKnownChangeable(context, usual.name)) return 'changed';
  const now = async () => textOf((await settingsOf(context)).settings[usual.name]);
  const before = await now();
  const sent = await setSomeText(context, usual);
  if (sent === undefined) return 'refused';
  return sent.fresh !== before && (await now()) === before ? 'ignored' : 'changed';
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
      let isAnyTaken = false;
      for (const usual of all) {
        const outcome = await outcomeOf(context, usual);
        isAnyTaken ||= outcome !== 'refused';
        if (outcome === 'ignored') ignored.push(usual.name);
      }
      // A refusal of every change says nothing about what becomes of one that is taken.
      if (!isAnyTaken) throw new Skipped('the target refuses every change of a single setting');
      // Readings that differ without a change come from several nodes, or show the change of another client.
      await givenQuietSettings(context, ignored);
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
