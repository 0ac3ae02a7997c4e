/** What a service has chosen for texts in several languages where the contract leaves it the choice. */
import type { Check } from '../../../harness/check.ts';
import { isObject, isServed } from '../../../harness/judge-answer.ts';
import type { Json } from '../../../harness/target/delivery.ts';
import { textsOf, websiteOf } from '../kit/fields.ts';
import { OWN_TEXTS } from '../kit/options.ts';
import { readMethod } from '../kit/reading.ts';
import { observes } from '../kit/seen.ts';

const formOfText = (read: unknown): string =>
  isObject(read) ? 'an object' : typeof read === 'string' ? 'a string' : JSON.stringify(read ?? null);

export const checks: readonly Check[] = [
  observes(
    'multilanguage.observations.handling',
    'OBSERVES in which form texts read back, and what becomes of foreign and of unnamed languages',
    [
      'multilanguage.read-form',
      'multilanguage.unnamed-languages-after-object',
      'multilanguage.foreign-language-handling',
    ],
    async (context) => {
      const { delivery, given, send } = context;
      const { languages, defaultLanguage } = websiteOf(context);
      const each = Object.fromEntries(languages.map((language) => [language, `First words (${language})`]));
      const method = await given.newMethod(delivery, { title: each });
      const titleOf = async () => (await readMethod(context, method)).title;
      const change = async (title: unknown) =>
        isServed(await send(delivery.changeMethod(method.handle, { title }), 'change'));

      const forms: Json = { 'an object': formOfText(await titleOf()) };
      forms['a string'] = (await change('Plain words')) ? formOfText(await titleOf()) : 'refused';
      context.observe('multilanguage.read-form', forms);

      await given.accepted(
        send(delivery.changeMethod(method.handle, { title: each }), 'given'),
        'delivery.method.update-applies',
      );
      // A text without the default language may be refused.
      const named = defaultLanguage ?? languages.at(-1)!;
      await given.accepted(
        send(delivery.changeMethod(method.handle, { title: { [named]: 'Second words' } }), 'change'),
        'delivery.method.update-applies',
      );
      const texts = textsOf(context, await titleOf());
      const unnamed = languages.filter((language) => language !== named);
      const kept = unnamed.filter((language) => texts[language] === each[language]);
      context.observe(
        'multilanguage.unnamed-languages-after-object',
        unnamed.length === 0
          ? 'the website has one language'
          : kept.length === unnamed.length
            ? 'kept'
            : kept.length === 0
              ? 'not kept'
              : 'some are kept',
      );

      const foreign = ['is', 'mt', 'ga', 'cy'].find((code) => !languages.some((own) => own.startsWith(code)))!;
      const handling: Json = {};
      for (const [which, title] of Object.entries({
        'beside an own language': { [named]: 'Third words', [foreign]: 'Foreign words' },
        alone: { [foreign]: 'Foreign words' },
      })) {
        const served = await change(title);
        const stored = Object.values(textsOf(context, await titleOf())).includes('Foreign words');
        handling[which] = !served ? 'refused' : stored ? 'stored' : 'ignored';
      }
      context.observe('multilanguage.foreign-language-handling', handling);
    },
    OWN_TEXTS,
  ),
];
