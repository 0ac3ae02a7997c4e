import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { afterUpdate, type MultilanguageText, maySend, readsBack, type WebsiteLanguages } from './multilanguage.ts';

const codes = ['en', 'lv', 'ru', 'pt-BR'];
const website = fc
  .tuple(fc.subarray(codes, { minLength: 1 }), fc.boolean())
  .map(
    ([languages, known]): WebsiteLanguages => (known ? { languages, defaultLanguage: languages[0]! } : { languages }),
  );
const text = fc.string({ unit: 'grapheme', maxLength: 4 });
const textFor = ({ languages }: WebsiteLanguages) =>
  fc.oneof(
    text,
    fc.dictionary(fc.constantFrom(...languages), text, { maxKeys: 4, noNullPrototype: true }),
  ) as fc.Arbitrary<MultilanguageText>;
const update = website.chain((site) =>
  fc.tuple(fc.constant(site), fc.option(textFor(site), { nil: undefined }), textFor(site)),
);

/** A service that keeps the contract: the default language is the first, stored as an object. */
function stored(
  site: WebsiteLanguages,
  previous: MultilanguageText | undefined,
  sent: MultilanguageText,
  keepsOthers: boolean,
) {
  const [first] = site.languages as [string];
  const asObject = (value: MultilanguageText | undefined) =>
    typeof value === 'string' ? { [first]: value } : (value ?? {});
  return { ...(keepsOthers || typeof sent === 'string' ? asObject(previous) : {}), ...asObject(sent) };
}

test('a service that stores what it was sent is never blamed', () => {
  fc.assert(
    fc.property(update, fc.boolean(), ([site, previous, sent], keepsOthers) => {
      assert.equal(maySend(sent, site).allowed, true);
      const read = stored(site, previous, sent, keepsOthers);
      assert.deepEqual(readsBack(sent, read, site, previous), []);
    }),
    { numRuns: 500 },
  );
});

test('a changed text is always noticed', () => {
  fc.assert(
    fc.property(update, ([site, previous, sent]) => {
      const { mustRead } = afterUpdate(previous, sent, site);
      const read = stored(site, previous, sent, true);
      for (const language of Object.keys(mustRead)) {
        // Longer than any text above: an emptied language may read as the text of another one.
        const changed = { ...read, [language]: `${mustRead[language]} changed` };
        assert.notDeepEqual(readsBack(sent, changed, site, previous), [], language);
      }
    }),
    { numRuns: 300 },
  );
});

test('a website with one language may answer with a plain string', () => {
  fc.assert(
    fc.property(text, (value) => {
      assert.deepEqual(readsBack({ lv: value }, value, { languages: ['lv'] }), []);
      assert.deepEqual(readsBack(value, { lv: value }, { languages: ['lv'] }), []);
    }),
    { numRuns: 100 },
  );
});

test('languages that are not known are not judged', () => {
  assert.equal(maySend({ de: 'x' }, { languages: [] }).allowed, true);
  assert.deepEqual(readsBack({ de: 'x' }, { de: 'x', fr: 'y' }, { languages: [] }), []);
});

test('a fault says what was sent and what was read, and where', () => {
  const [fault] = readsBack({ en: 'A' }, { en: 'B' }, { languages: ['en'] });
  assert.deepEqual(fault, {
    rule: 'multilanguage.reads-back',
    level: 'MUST',
    message: 'The text "A" was sent and the text "B" was read under /en.',
    pointer: '/en',
    expected: 'A',
    actual: 'B',
  });
});

test('the reason names the missing language and those that are there', () => {
  const { reason } = maySend({ de: 'Kurier' }, { languages: ['en', 'lv'] });
  assert.equal(reason, 'The website has no language "de"; it has en, lv.');
});

test('languages named like members of every object are looked up as languages', () => {
  assert.equal(maySend({ constructor: 'x' }, { languages: ['en'] }).allowed, false);
  assert.notDeepEqual(readsBack({ en: 'x' }, {}, { languages: ['en', 'toString'] }), []);
  assert.deepEqual(readsBack({ constructor: '' }, {}, { languages: ['constructor'] }), []);
});

test('a language with the empty text may show the text of another language, but not the one it had', () => {
  const website = { languages: ['et', 'ru'], defaultLanguage: 'et' };
  assert.deepEqual(readsBack({ et: '' }, { et: 'a', ru: 'a' }, website, { ru: 'a' }), []);
  assert.equal(readsBack({ et: '' }, { et: 'old', ru: 'a' }, website, { et: 'old', ru: 'a' }).length, 1);
});
