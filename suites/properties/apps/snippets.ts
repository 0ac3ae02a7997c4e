/** Snippets of any text, for all pages and for those in one language (spec: Endpoints, B. Apps endpoints). */
import fc from 'fast-check';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { forAll, givenProperties } from '../../../harness/property/index.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { readBack } from '../../apps/steps/data.ts';
import { appsOf } from '../../apps/steps/installations.ts';
import { WRITING } from '../../apps/steps/options.ts';
import { expectNotSet, REFUSED_CHANGES_NOTHING } from '../../apps/steps/refused-set.ts';
import {
  defaultSlot,
  keptClause,
  languageSlot,
  type Slot,
  saveForRestore,
  snippetIn,
} from '../../apps/steps/snippets.ts';
import { asInstallation, slotsOfSecond } from '../steps/installations.ts';
import { isPlain, plainText } from '../steps/texts.ts';

const KEPT = 'apps.snippet.default-kept';
const KEPT_IN_LANGUAGE = 'apps.snippet.language-kept';

/** Some snippets, each set and read. */
const REQUESTS_PER_RUN = 7;
const MAX_TEXTS = 4;
const MAX_LANGUAGES = 2;
/** Where columns of text end, in characters. */
const COLUMNS = [255, 1_000, 4_000];

/**
 * What a careless path of storage changes. Snippets appear on the pages of a real website while they are tried: nothing here
 * opens what it does not close, and nothing does anything.
 */
const PIECES = [
  '<!-- note -->',
  '<br>',
  '<p>p</p>',
  '<i title="a \'b\'">i</i>',
  '<script type="text/plain">if (1 < 2 && "a") { /* $1 */ }</script>',
  '&amp;',
  '&lt;b&gt;',
  '&nbsp;',
  '%20',
  '+',
  '\\',
  '\\n',
  '\\u00e9',
  '$&',
  '$1',
  '{{ name }}',
  '"',
  "'",
  '\n',
  '\r\n',
  '\t',
  '  ',
  'é',
  'e\u0301',
  '🚚',
  '\u00a0',
];

const words = fc.string({
  unit: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...PIECES) }, { weight: 1, arbitrary: plainText }),
  minLength: 1,
  maxLength: 6,
});
const long = fc.constantFrom(...COLUMNS).map((characters) => `${'ž '.repeat(characters / 2)}end`);
const around = fc.constantFrom('', '', '', ' ', '\n', '\r\n');

const snippet = fc
  .tuple(
    around,
    fc.oneof({ weight: 6, arbitrary: words }, { weight: 1, arbitrary: plainText }, { weight: 1, arbitrary: long }),
    around,
  )
  .map(([before, text, after]) => `${before}<div hidden="">${text}</div>${after}`);

const inTurn = fc.array(snippet, { minLength: 1, maxLength: MAX_TEXTS });

/** Whether no service has a reason to refuse it. */
const isOrdinary = (text: string): boolean => isPlain(/^<div hidden="">(.*)<\/div>$/s.exec(text)?.[1] ?? '');

/** Whether hand-written markup closes what it opens, as far as that can be decided. */
const isHarmless = (text: string): boolean => /^\s*<div hidden="">.*<\/div>\s*$/s.test(text);

function slotsOf(context: Context): Slot[] {
  const languages = (context.profile.website?.languages ?? []).slice(0, MAX_LANGUAGES);
  return [defaultSlot(context), ...languages.map((language) => languageSlot(context, language))];
}

export const checks: readonly Check[] = [
  check(
    'properties.apps.snippets',
    'MUST return a snippet of any text as set, for all pages and for one language',
    { ...WRITING, clauses: [KEPT, KEPT_IN_LANGUAGE, REFUSED_CHANGES_NOTHING], additional: true },
    async (context) => {
      givenProperties(context);
      const slots = slotsOf(context);
      for (const slot of slots) await saveForRestore(context, slot);
      slots.push(...(await slotsOfSecond(context, (slot) => saveForRestore(context, slot))));
      const nth = fc.nat({ max: slots.length - 1 });
      const fits = ([at, texts]: readonly [number, readonly string[]]) =>
        slots[at] !== undefined && texts.every(isHarmless);
      const options = { requestsPerRun: REQUESTS_PER_RUN, fits };
      await forAll(context, options, [nth, inTurn], async (run, at, texts) => {
        const { expect, given, send } = run.context;
        const { installation, language } = slots[at]!;
        const apps = appsOf(run.context, installation);
        const where = `${installation === 'other' ? 'of the other installation ' : ''}${language === undefined ? '' : `in ${language} `}`;
        const kept = keptClause(slots[at]!);
        const shown = texts.map((text) => JSON.stringify(text)).join(', then ');
        run.step(`the snippet ${where}${shown}`);
        await asInstallation(run, installation, async () => {
          let former: string | undefined;
          for (const text of texts) {
            const response = await send(apps.setSnippet(text, language), 'set');
            const read = async () => snippetIn(await send(apps.snippetIn(language), 'read'));
            // What the place held before the first one may be the same.
            if (former !== undefined) await expectNotSet(run.context, response, { value: text, former, read });
            if (isOrdinary(text)) await given.accepted(response, kept);
            if (!isServed(response)) continue;
            const after = await readBack(run.context, text, send(apps.snippetIn(language), 'read'), kept);
            expect.equal(snippetIn(after), text, 'a snippet must read back as it was set', {
              pointer: '/snippet',
              response: after,
              clauses: [kept],
            });
            former = text;
          }
        });
      });
    },
  ),
];
