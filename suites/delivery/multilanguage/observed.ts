/** Observations of texts in several languages where the contract leaves the choice to the service. */

import { isJsonObject } from '../../../contracts/json/object.ts';
import type { Check } from '../../../harness/check/check.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { textsOf, websiteOf } from '../steps/fields.ts';
import { observes } from '../steps/observe.ts';
import { OWN_TEXTS } from '../steps/options.ts';
import { readMethod } from '../steps/reading.ts';

const formOfText = (read: unknown): string =>
  isJsonObject(read) ? 'an object' : typeof read === 'string' ? 'a string' : JSON.stringify(read ?? null);

export const checks: readonly Check[] = [
  observes(
    'delivery.multilanguage.observed-handling',
    'OBSERVES in which form texts are returned and how foreign and unnamed languages are handled',
    [
      'delivery.multilanguage.read-form',
      'delivery.multilanguage.omitted-languages-after-object',
      'delivery.multilanguage.foreign-language-handling',
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
      context.observe('delivery.multilanguage.read-form', forms);

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
        'delivery.multilanguage.omitted-languages-after-object',
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
      context.observe('delivery.multilanguage.foreign-language-handling', handling);
    },
    OWN_TEXTS,
  ),
];
