import { type Check, check } from '../../../harness/check/check.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { formOf, refused } from '../steps/observe.ts';
import { READING, WRITING } from '../steps/options.ts';
import {
  defaultSlot,
  languagesOf,
  plainSnippet,
  rareLanguage,
  readSnippet,
  remembered,
  shows,
} from '../steps/snippets.ts';

export const checks: readonly Check[] = [
  check(
    'apps.snippet.unset-form',
    'OBSERVES how a snippet that was never set is returned',
    { clauses: [], observations: ['apps.snippet.unset'], ...READING },
    async (context) => {
      const { apps, send } = context;
      const seen: Record<string, string> = { default: formOf(await send(apps.getSnippet()), 'snippet') };
      for (const language of (await languagesOf(context)).slice(0, 3)) {
        seen[language] = formOf(await send(apps.snippetIn(language)), 'snippet');
      }
      context.observe('apps.snippet.unset', seen);
    },
  ),

  check(
    'apps.snippet.unknown-language-handling',
    'OBSERVES what happens to a snippet for a language that the website does not have',
    { clauses: [], observations: ['apps.snippet.unknown-language'], ...WRITING },
    async (context) => {
      const { apps, resources, send } = context;
      const rare = rareLanguage(await languagesOf(context));
      const read = await send(apps.snippetIn(rare), 'probe');
      const general = defaultSlot(context);
      await remembered(context, general);
      const mark = resources.newMark();
      // With markup: what refuses or repeats it may write pages.
      const set = await send(apps.setSnippet(plainSnippet(mark), rare), 'probe');
      if (isServed(set)) {
        if (shows(await readSnippet(context, general), mark)) {
          context.warn(
            'A snippet for a language that the website does not have was taken as that of all pages: visitors in every language see it.',
          );
        }
        // An empty snippet leaves nothing behind.
        await send(apps.setSnippet('', rare), 'probe');
      }
      context.observe('apps.snippet.unknown-language', {
        read: formOf(read, 'snippet'),
        set: isServed(set) ? 'accepted' : refused(set),
      });
    },
  ),
];
