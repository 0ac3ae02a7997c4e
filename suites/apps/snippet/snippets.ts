/** Snippets are kept byte for byte, each in its own place (spec: Endpoints, B. Apps endpoints). */
import { pathOf } from '../../../contracts/operations/index.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { unlessUndecided } from '../../../harness/resources/once.ts';
import { type ServiceRequest, withEscapes } from '../../../harness/target/client/request.ts';
import { isRefused, isServed } from '../../../harness/target/response/judge-response.ts';
import { dataRemembered, ownData } from '../steps/data.ts';
import { keepsLongText, REFUSED } from '../steps/long-text.ts';
import { WRITING } from '../steps/options.ts';
import {
  defaultSlot,
  keptClause,
  languageSlot,
  languagesOf,
  nameOf,
  plainSnippet,
  readSnippet,
  remembered,
  replacedBy,
  type Slot,
  saveForRestore,
  setSnippet,
  shows,
  snippetIn,
  storeForLater,
  storeSnippet,
} from '../steps/snippets.ts';

const REPLACED = 'apps.snippet.replaced';
const SEPARATE = 'apps.snippet.default-and-language-separate';

/** What an escaping, a template, a wrong charset or a trimming would change. */
function awkwardSnippets(mark: string): string[] {
  return [
    [
      `<div id="${mark}" title='one "two"' hidden>Žagars &amp; dēli &lt;b&gt; 5 &#60; 6&nbsp;· Рига 蜂蜜 🐝 עברית e\u0301</div>`,
      '\t<script>',
      '  // $& $1 $$ %s %41 \\n \\u0041 {{x}} #{y} + <%= z %>',
      '  var a = "<\\/p>", b = \'&quot;\', c = "\\\\\\\\srv", d = "\\"", e = \'\\\'\';',
      '</script>',
      '<!-- a comment --><style>p > a::after { content: "\\201C"; }</style>',
      '',
      '',
      `<NOSCRIPT><p Class=plain hidden onclick="return '${mark}'">5\u00a0km</p></NOSCRIPT>`,
      '<iframe hidden title=""></iframe>',
      '<a hidden style="color: red" href="/a//b?c=1&d=2">1</a><a hidden href="http://proofmark.example/x">2</a>',
      '',
    ].join('\n'),
    `\r\n  <p>  ${mark}  </p>\t\r\n\r\n<!-- a\rb 100%41 %20 -->\n `,
  ];
}

/** Sets a text and asserts that it reads back; what it finds of the former one beside it is another clause's. */
async function keepsSnippet(
  context: Context,
  slot: Slot,
  text: string,
  before: string,
  isPromised: boolean,
): Promise<void> {
  const { send, expect, given } = context;
  const set = await send(slot.apps.setSnippet(text, slot.language), 'set');
  if (isPromised) expect.served(set, `${nameOf(slot)} must be accepted, since the one for another language was`);
  else if (isRefused(set) === 'refused' && (await isTakenElsewhere(context, slot, text)))
    expect.served(
      set,
      `${nameOf(slot)} must be accepted, since the same text was accepted without or with another language`,
    );
  else {
    // Plain texts are next, so that this is where what a service accepts of the others is judged.
    if (!isServed(set) && context.explains) await keepsParts(context, slot, text);
    expect.accepted(set, `${nameOf(slot)} must be accepted`);
  }
  const response = await send(slot.apps.snippetIn(slot.language), 'read');
  expect.served(response, `${nameOf(slot)} must be readable after it was set`);
  const read = snippetIn(response);
  const former = before !== '' && read !== text && shows(read, before);
  given.holds(!former, REPLACED, `${nameOf(slot)} still holds the earlier text`, { response });
  expect.equal(read, text, `${nameOf(slot)} must read back byte for byte`, { pointer: '/snippet', response });
}

/** Whether a text that is refused for a language of the website is accepted for another one, or for all pages. */
async function isTakenElsewhere(context: Context, { language }: Slot, text: string): Promise<boolean> {
  if (language === undefined) return false;
  const others = (await languagesOf(context)).filter((code) => code !== language);
  for (const slot of [defaultSlot(context), ...others.map((code) => languageSlot(context, code))]) {
    await remembered(context, slot);
    if (isServed(await context.send(slot.apps.setSnippet(text, slot.language), 'set'))) return true;
  }
  return false;
}

/** `isPromised`: another language has taken the same texts, and each language of the website has to be taken. */
async function keepsAwkwardOnes(context: Context, slot: Slot, isPromised = false): Promise<void> {
  let before = await saveForRestore(context, slot, true);
  for (const text of awkwardSnippets(context.resources.newMark())) {
    await keepsSnippet(context, slot, text, before, isPromised);
    before = text;
  }
  // The calls for another language are the same ones: what they tidy is judged with the first.
  if (!isPromised) await keepsOffered(context, slot);
}

/** Markup without ends of elements, which a reader of HTML puts in, and what it reads as comments. */
const UNTIDY: readonly string[] = [
  '<?x y?><![CDATA[z]]>',
  "<p hidden title='a'>one<br>two<br/>",
  '<img hidden><img hidden />',
  '<svg hidden><path d="M0 0"/></svg>',
  '<script type="text/plain" async defer></script>',
  '<a hidden href="javascript:void 0">x</a>',
];
/** Texts that some language takes for nothing, or tidies, the first one twice: a service may refuse these, or parts of them. */
const OFFERED: readonly (readonly string[])[] = [
  ['0'],
  ['0'],
  UNTIDY,
  ['\ufeff<p hidden>a\u00a0b\u200bc\u00add\u2028e\u200df</p>'],
];
/** Sent with escapes in place of its letters, which say the same in JSON. */
const ESCAPED = '<p hidden>Ķīpsala/東京 🚚</p>';

/** What the lines of a text do not show by themselves. */
const TWO_LINES = '<p hidden>one</p>\n<p hidden>two</p>\n';

/** Sets the lines of a text that is refused as a whole, and then what else may be refused. */
async function keepsParts(context: Context, slot: Slot, text: string): Promise<void> {
  const lines = text.split(/[\t\r\n]+/).map((line) => line.trim());
  for (const line of new Set([...lines, TWO_LINES]))
    if (line !== '') await keepsIfTaken(context, slot, slot.apps.setSnippet(line, slot.language), line);
  await keepsOffered(context, slot);
}

/** A text that is accepted has to read back. Returns whether it was. */
async function keepsIfTaken(context: Context, slot: Slot, call: ServiceRequest, text: string): Promise<boolean> {
  if (!isServed(await context.send(call, 'set'))) return false;
  const read = await readSnippet(context, slot);
  context.expect.equal(read, text, `${nameOf(slot)} must read back byte for byte`, { pointer: '/snippet' });
  return true;
}

async function keepsOffered(context: Context, slot: Slot): Promise<void> {
  const setting = (text: string): ServiceRequest => slot.apps.setSnippet(text, slot.language);
  for (const parts of OFFERED) {
    const whole = parts.join('');
    if ((await keepsIfTaken(context, slot, setting(whole), whole)) || parts.length === 1) continue;
    for (const part of parts) await keepsIfTaken(context, slot, setting(part), part);
  }
  await keepsIfTaken(context, slot, withEscapes(setting(ESCAPED)), ESCAPED);
  await keepsLongText(context, {
    name: nameOf(slot),
    pointer: '/snippet',
    set: setting,
    get: () => slot.apps.snippetIn(slot.language),
    valueIn: snippetIn,
  });
}

/** Sets two plain snippets in turn: of the first, and of what was there before, nothing may be left. */
async function replaces(context: Context, slot: Slot): Promise<void> {
  const { resources, expect, given } = context;
  const old = await saveForRestore(context, slot);
  const [first, second] = [resources.newMark(), resources.newMark()];
  await setSnippet(context, slot, plainSnippet(first));
  const one = await readSnippet(context, slot);
  // A short text of before may be in the new one by chance.
  if (old !== '' && !plainSnippet(first).includes(old))
    expect.that(!shows(one, old), `${nameOf(slot)} must not hold what was there before`, { actual: one });
  given.holds(shows(one, first), keptClause(slot), `${nameOf(slot)} does not hold what was set`, { actual: one });
  await setSnippet(context, slot, plainSnippet(second));
  const two = await readSnippet(context, slot);
  expect.that(!shows(two, first), `${nameOf(slot)} must not hold the earlier text after it is set again`, {
    expected: plainSnippet(second),
    actual: two,
  });
  expect.that(shows(two, second), `${nameOf(slot)} must hold what was set last`, {
    expected: plainSnippet(second),
    actual: two,
  });
  // An empty text is how a snippet is taken back; a service may refuse it, and one that takes it does it.
  if (!(await emptied(context, slot))) return;
  await readLanguages(context, slot);
  const response = await context.send(slot.apps.snippetIn(slot.language), 'read');
  expect.that(
    !shows(snippetIn(response), second),
    `${nameOf(slot)} must not hold the earlier text after it is emptied`,
    {
      expected: 'the empty text',
      actual: snippetIn(response),
      response,
    },
  );
}

/** Reads the languages of the website, which no snippet changes: responses are compared with the profile as they come. */
async function readLanguages({ given, send }: Context, { apps }: Slot): Promise<void> {
  await given.promised(send(apps.getLanguages(), 'read'), 'apps.credentials.accepted');
}

/** Empties a snippet; false where the service refuses to. */
const emptied = async ({ send }: Context, slot: Slot): Promise<boolean> =>
  isServed(await send(slot.apps.setSnippet('', slot.language), 'emptied'));

/** A snippet stays when something else is set, or installed is called once more. */
async function staysBesideOthers(context: Context, slot: Slot): Promise<void> {
  const { apps, resources, send, expect } = context;
  const text = await replacedBy(context, slot, resources.newMark());
  await dataRemembered(context, ownData(context), 'apps.data.string-kept');
  for (const call of [apps.setData(resources.newMark()), apps.finishInstallation()]) {
    await send(call, 'other call');
    expect.equal(await readSnippet(context, slot), text, `${call.path} must leave ${nameOf(slot)} as it was`);
  }
  await readLanguages(context, slot);
}

/** Sets the snippet for a language, which setting the one for all pages has to leave. */
async function ofALanguage(context: Context): Promise<{ readonly slot: Slot; readonly text: unknown }> {
  const [language] = await languagesOf(context);
  const slot = languageSlot(context, language!);
  return { slot, text: await storeForLater(context, slot, context.resources.newMark()) };
}

export const checks: readonly Check[] = [
  check(
    'apps.snippet.default-kept',
    'MUST return the snippet for all pages byte for byte',
    { clauses: ['apps.snippet.default-kept', REFUSED], ...WRITING },
    async (context) => {
      await keepsAwkwardOnes(context, defaultSlot(context));
      await staysBesideOthers(context, defaultSlot(context));
    },
  ),
  check(
    'apps.snippet.language-kept',
    'MUST return the snippet for a language byte for byte',
    { clauses: ['apps.snippet.language-kept', REFUSED], ...WRITING },
    async (context) => {
      const languages = await languagesOf(context);
      for (const [at, language] of [...new Set([languages[0]!, languages.at(-1)!])].entries()) {
        await keepsAwkwardOnes(context, languageSlot(context, language), at > 0);
      }
      await staysBesideOthers(context, languageSlot(context, languages[0]!));
    },
  ),
  check(
    'apps.snippet.replaced',
    'MUST replace a snippet that is set again',
    { clauses: [REPLACED], ...WRITING },
    async (context) => {
      await replaces(context, defaultSlot(context));
      const [language] = await languagesOf(context);
      await replaces(context, languageSlot(context, language!));
    },
  ),
  check(
    SEPARATE,
    'MUST keep the snippet for all pages separate from those for languages',
    { clauses: [SEPARATE], ...WRITING },
    async (context) => {
      const { resources, expect } = context;
      const [first, second] = await languagesOf(context);
      const general = defaultSlot(context);
      const own = languageSlot(context, first!);
      const unchanged = async (slot: Slot, before: unknown, by: string): Promise<void> =>
        expect.equal(await readSnippet(context, slot), before, `setting ${by} must not change ${nameOf(slot)}`);

      const generalText = await storeForLater(context, general, resources.newMark());
      const ownText = await storeForLater(context, own, resources.newMark());
      await unchanged(general, generalText, nameOf(own));
      if (second !== undefined) {
        const other = languageSlot(context, second);
        await storeSnippet(context, other, resources.newMark());
        await unchanged(own, ownText, nameOf(other));
        await unchanged(general, generalText, nameOf(other));
      }
      const lastText = await storeForLater(context, general, resources.newMark());
      await unchanged(own, ownText, nameOf(general));

      // Emptied, a snippet takes no other with it. What it then reads as is not shown: nothing, or that of the website.
      if (!(await emptied(context, own))) return;
      await unchanged(general, lastText, `an empty text as ${nameOf(own)}`);
      const ownAgain = await storeForLater(context, own, resources.newMark());
      if (!(await emptied(context, general))) return;
      await unchanged(own, ownAgain, `an empty text as ${nameOf(general)}`);
      // The other way round, a page without a snippet of its own may show the general one: this one belongs to one language.
      // A service may refuse to read what is empty.
      const response = await context.send(context.apps.snippetIn(undefined), 'read');
      expect.that(
        snippetIn(response) !== ownAgain,
        `${nameOf(general)}, which is empty, must not be read as ${nameOf(own)}`,
        { response },
      );
    },
  ),
  check(
    'apps.snippet.null-language',
    'SHOULD treat a null language like a missing one',
    { clauses: ['apps.snippet.null-language'], ...WRITING },
    async (context) => {
      const { apps, resources, send, expect, given } = context;
      const general = defaultSlot(context);
      await storeSnippet(context, general, resources.newMark());
      const beside = await unlessUndecided(() => ofALanguage(context));
      const mark = resources.newMark();
      const response = await send(
        apps.call('POST', pathOf('setSnippet', {}), { snippet: plainSnippet(mark), language: null }),
        'probe',
      );
      expect.that(isServed(response), 'the service should not refuse a snippet because its language is null', {
        response,
      });
      const read = await readSnippet(context, general);
      if (!shows(read, mark)) {
        // Whether anything may be set a second time is another clause's.
        const again = resources.newMark();
        await setSnippet(context, general, plainSnippet(again));
        given.holds(shows(await readSnippet(context, general), again), REPLACED, 'the snippet was not replaced');
      }
      expect.that(shows(read, mark), 'a snippet that is set with a null language should be the one for all pages', {
        expected: plainSnippet(mark),
        actual: read,
        response,
      });
      if (beside === undefined) return;
      const left = await readSnippet(context, beside.slot);
      const reason = `setting a snippet with a null language changed ${nameOf(beside.slot)}`;
      given.holds(left === beside.text, SEPARATE, reason, { expected: beside.text, actual: left });
    },
  ),
];
