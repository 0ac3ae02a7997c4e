import { type Check, check } from '../../../harness/check/check.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { formOf, refused } from '../steps/observe.ts';
import { READING, WRITING } from '../steps/options.ts';
import {
  defaultSlot,
  languageSlot,
  languagesOf,
  nameOf,
  plainSnippet,
  rareLanguage,
  readSnippetIfAny,
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
      const languages = await languagesOf(context);
      const rare = rareLanguage(languages);
      const read = await send(apps.snippetIn(rare), 'probe');
      // Of a website in many languages, those that a service is most likely to take in place of another.
      const others = [...new Set([...languages.slice(0, 2), languages.at(-1)!])];
      const slots = [defaultSlot(context), ...others.map((language) => languageSlot(context, language))];
      for (const slot of slots) await remembered(context, slot);
      const mark = resources.newMark();
      // With markup: what refuses or repeats it may write pages.
      const set = await send(apps.setSnippet(plainSnippet(mark), rare), 'probe');
      if (isServed(set)) {
        for (const slot of slots) {
          if (!shows(await readSnippetIfAny(context, slot), mark)) continue;
          const where = slot.language === undefined ? 'every language' : slot.language;
          context.warn(
            `A snippet for a language that the website does not have was taken as ${nameOf(slot)}: visitors in ${where} see it.`,
          );
          // In a language without its own snippet a service may show the one for all pages.
          break;
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
