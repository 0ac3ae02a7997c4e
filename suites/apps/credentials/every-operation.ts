/**
 * Each operation of Apps demands credentials, not only the obvious ones. Not by delete here: a
 * probe of it that was served would uninstall what the profile names, so it needs an installation that the run has made.
 */
import { type Check, check } from '../../../harness/check/check.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { dataRemembered, ownData, readData, setData, storeString } from '../steps/data.ts';
import { READING, WRITING } from '../steps/options.ts';
import {
  defaultSlot,
  keptClause,
  languageSlot,
  languagesOf,
  nameOf,
  plainSnippet,
  readSnippet,
  remembered,
  setSnippet,
  storeForLater,
} from '../steps/snippets.ts';
import { refusesEveryBadCredential } from './bad-credentials.ts';

const ACCEPTED = 'apps.credentials.accepted';

export const checks: readonly Check[] = [
  check(
    'apps.credentials.every-website-read',
    'MUST refuse wrong credentials on every Apps operation that reads website data',
    { clauses: ['apps.credentials.every-read'], ...READING },
    async (context) => {
      const { apps } = context;
      // The third one, languages, is what all other checks of credentials are made with.
      for (const call of [apps.getUser(), apps.getWebsite()])
        await refusesEveryBadCredential(context, call, { clause: ACCEPTED, control: 'beside' });
    },
  ),
  check(
    'apps.credentials.every-content-read',
    'MUST refuse wrong credentials on every Apps operation that reads snippets or data',
    { clauses: ['apps.credentials.every-read'], ...WRITING },
    async (context) => {
      const { apps, resources } = context;
      // Set first: what was never set may be refused to any caller.
      const mark = resources.newMark();
      /** The control reads what was set, so that it is not read before the refusals as well. */
      const accepted = (response: ServiceResponse): boolean => isServed(response) && response.text.includes(mark);
      await dataRemembered(context, ownData(context), 'apps.data.string-kept');
      await setData(context, ownData(context), mark, 'apps.data.string-kept');
      await refusesEveryBadCredential(context, apps.getData(), {
        clause: 'apps.data.string-kept',
        accepted,
        control: 'beside',
      });
      const [language] = await languagesOf(context);
      for (const slot of [defaultSlot(context), languageSlot(context, language!)]) {
        await remembered(context, slot);
        await setSnippet(context, slot, plainSnippet(mark));
        const call = apps.snippetIn(slot.language);
        await refusesEveryBadCredential(context, call, { clause: keptClause(slot), accepted, control: 'beside' });
      }
    },
  ),
  check(
    'apps.credentials.every-write',
    'MUST refuse wrong credentials on every Apps write operation and change nothing',
    { clauses: ['apps.credentials.every-write'], ...WRITING },
    async (context) => {
      const { apps, resources, expect } = context;
      const [mark, other] = [resources.newMark(), resources.newMark()];

      const [language] = await languagesOf(context);
      for (const slot of [defaultSlot(context), languageSlot(context, language!)]) {
        const snippet = await storeForLater(context, slot, mark);
        await refusesEveryBadCredential(context, apps.setSnippet(plainSnippet(other), slot.language), {
          clause: keptClause(slot),
          meanwhile: async () =>
            expect.equal(
              await readSnippet(context, slot),
              snippet,
              `refused calls must leave ${nameOf(slot)} as it was`,
            ),
        });
      }

      const data = ownData(context);
      await dataRemembered(context, data, 'apps.data.string-kept');
      // At the first try the reading after the refusals shows as well that it was set.
      if (!context.explains) await setData(context, data, mark, 'apps.data.string-kept');
      const before = context.explains ? await storeString(context, data, mark) : mark;
      await refusesEveryBadCredential(context, apps.setData(other), {
        clause: 'apps.data.string-kept',
        meanwhile: async () =>
          expect.equal(
            await readData(context, data, 'apps.data.string-kept'),
            before,
            'refused calls must leave the data as it was',
          ),
      });

      // A service may refuse to finish an installation twice; then nothing can be learnt from refusals of it here.
      if (isServed(await context.send(apps.finishInstallation(), 'control'))) {
        await refusesEveryBadCredential(context, apps.finishInstallation(), { clause: ACCEPTED });
      }
    },
  ),
];
