/** What a service makes of a snippet for a language that the website does not have: where others then see it, the run says so. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInProcess } from '../../../harness/runner/in-process.ts';
import { parseProfile } from '../../../harness/target/profile/index.ts';
import { profileOf } from '../../../mock/profile.ts';
import { createService } from '../../../mock/service.ts';
import type { Rules } from '../../../mock/types/rules.ts';
import { SUITES } from '../../index.ts';

/** How the check ends on a service that keeps such snippets in the slot that `slotFor` names. */
async function judged(slotFor: (correct: Rules, language: string | null) => string) {
  const rules = (correct: Rules): Partial<Rules> => ({
    knowsLanguage: () => true,
    snippetSlot: (language) => slotFor(correct, language),
  });
  const deviation = { id: 'snippets.of-unknown-languages', about: 'Takes any language.', rules };
  const service = createService({ origin: 'http://127.0.0.1:9', deviations: [deviation] });
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: '.', env: {} });
  const before = JSON.stringify(service.state.installations.all());
  const options = { profile, transport: (request: Request) => service.fetch(request), instantPauses: true };
  const [result] = await runInProcess(SUITES, options, ({ id }) => id === 'apps.snippet.unknown-language-handling');
  assert.equal(JSON.stringify(service.state.installations.all()).includes('pm-'), false, before);
  service.close();
  return { verdict: result?.verdict, reason: result?.reason };
}

const isKnown = (language: string | null): boolean => language === null || ['en', 'lv', 'de'].includes(language);

test('a snippet for an unknown language that others see is warned about', async () => {
  for (const [slot, shown] of [
    ['*', /the snippet for all pages: visitors in every language see it/],
    ['lv', /the snippet for pages in lv: visitors in lv see it/],
    ['de', /the snippet for pages in de: visitors in de see it/],
  ] as const) {
    const { verdict, reason } = await judged((correct, language) =>
      isKnown(language) ? correct.snippetSlot(language) : slot,
    );
    assert.equal(verdict, 'warn', slot);
    assert.match(reason ?? '', shown);
  }
});

test('one that is kept in a place of its own is not', async () => {
  const { verdict } = await judged((correct, language) => correct.snippetSlot(language));
  assert.equal(verdict, 'observed');
});
