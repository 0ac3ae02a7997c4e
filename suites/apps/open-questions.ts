/** What the contract leaves open about snippets, data and the end of an installation. */
import { isUnset } from '../../contracts/fields/unset.ts';
import { type Check, check } from '../../harness/check/check.ts';
import { summary } from '../../harness/check/expect.ts';
import { Inconclusive } from '../../harness/check/failures.ts';
import type { Answer } from '../../harness/target/client/index.ts';
import { isObject, isServed } from '../../harness/target/response/judge-response.ts';
import { dataIn, holdingString, ownData, rememberData } from './steps/data.ts';
import { READING, WRITING } from './steps/options.ts';
import { languagesOf, rareLanguage } from './steps/snippets.ts';

const refused = (answer: Answer): string => `refused with ${answer.status}`;

/** How something that was not set reads: its form, or that something is there. */
function formOf(answer: Answer, name: string): string {
  if (!isServed(answer)) return refused(answer);
  const body = isObject(answer.json) ? answer.json : {};
  if (!Object.hasOwn(body, name)) return 'left out';
  return isUnset(body[name]) ? JSON.stringify(body[name]) : 'set';
}

export const checks: readonly Check[] = [
  check(
    'apps.snippet.never-set-form',
    'OBSERVES how a snippet reads that was never set',
    { clauses: [], observations: ['apps.snippet.never-set'], ...READING },
    async (context) => {
      const { apps, send } = context;
      const seen: Record<string, string> = { default: formOf(await send(apps.getSnippet()), 'snippet') };
      for (const language of (await languagesOf(context)).slice(0, 3)) {
        seen[language] = formOf(await send(apps.getSnippet(language)), 'snippet');
      }
      context.observe('apps.snippet.never-set', seen);
    },
  ),
  check(
    'apps.data.never-set-form',
    'OBSERVES how data reads that was never set',
    { clauses: [], observations: ['apps.data.never-set'], ...READING },
    async (context) => {
      const { apps, send } = context;
      context.observe('apps.data.never-set', formOf(await send(apps.getData()), 'data'));
    },
  ),
  check(
    'apps.snippet.unknown-language-handling',
    'OBSERVES what happens to a snippet for a language that the website does not have',
    { clauses: [], observations: ['apps.snippet.unknown-language'], ...WRITING },
    async (context) => {
      const { apps, send } = context;
      const rare = rareLanguage(await languagesOf(context));
      const read = await send(apps.getSnippet(rare), 'probe');
      // An empty snippet leaves nothing behind, whether it is taken or not.
      const set = await send(apps.setSnippet('', rare), 'probe');
      context.observe('apps.snippet.unknown-language', {
        read: formOf(read, 'snippet'),
        set: isServed(set) ? 'accepted' : refused(set),
      });
    },
  ),
  check(
    'apps.data.other-types-handling',
    'OBSERVES what happens to data that is neither a string nor an object',
    { clauses: [], observations: ['apps.data.other-types'], ...WRITING },
    async (context) => {
      const { apps, send, resources } = context;
      const owner = ownData(context);
      const mark = resources.newMark();
      await rememberData(context, owner, 'apps.data.string-kept');
      const seen: Record<string, string> = {};
      for (const data of [[], [1, 'a'], 7, true, null]) {
        await holdingString(context, owner, mark);
        const set = await send(apps.setData(data), 'probe');
        const read = dataIn(await send(apps.getData(), 'read'));
        const shown = read === mark ? 'left the data as it was' : `reads back as ${JSON.stringify(read) ?? 'nothing'}`;
        seen[JSON.stringify(data)] = `${isServed(set) ? 'accepted' : refused(set)}, ${shown}`;
      }
      context.observe('apps.data.other-types', seen);
    },
  ),
  check(
    'apps.installed.empty-json-body',
    'SHOULD take an empty body under a JSON content type for installed',
    { clauses: ['apps.installed.empty-json-body'], ...WRITING },
    async ({ apps, send, expect }) => {
      const control = await send(apps.installed(), 'control');
      if (!isServed(control)) {
        throw new Inconclusive(
          `the installation is finished, and the target does not take installed again (${summary(control)}), which the contract leaves open: give the profile the apps.authCode of an installation that is not finished`,
          'configuration',
        );
      }
      const answer = await send({ ...apps.installed(), body: { raw: '', contentType: 'application/json' } }, 'probe');
      expect.accepted(answer, 'installed should be served with a JSON content type and an empty body');
    },
  ),
];
