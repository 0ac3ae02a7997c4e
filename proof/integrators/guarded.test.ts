/**
 * Integrators that guard themselves: what they refuse to a client that they have locked out, or that asks for several things at once, says
 * nothing about them, also where they say so by a page for people and not by a status.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findBrowser } from '../../cli/common/browser.ts';
import { precheckExample } from '../../cli/precheck/examples/run.ts';
import App from '../../examples/integrators/app/correct.ts';
import { examples } from '../../examples/integrators/index.ts';
import { examplesOver } from '../../examples/integrators/support/example.ts';
import { page } from '../../examples/integrators/support/http.ts';
import { launchQuietly } from '../../harness/browser/launch.ts';

const found = await findBrowser();
const skip = found === undefined ? 'there is no browser here' : false;
const MAX_REFUSED = 5;
const LOADS = new Set(['/install', '/settings']);

/** An app that asks a client that has sent a few forged requests whether it is a person, with the status of a page that is shown. */
const LOCKING_OUT = examplesOver(App, {
  'test.locks-out': {
    about: 'Locks out a client after some forged requests.',
    change: (correct) => {
      let refused = 0;
      return {
        respond: async (request) => {
          if (!LOADS.has(new URL(request.url).pathname)) return correct.respond(request);
          if (refused >= MAX_REFUSED) return page('One moment', '<p>Are you a robot?</p>');
          const response = await correct.respond(request);
          if (response.status === 400) refused += 1;
          return response;
        },
      };
    },
  },
});

async function precheckAlone(example: Parameters<typeof precheckExample>[0], selected: readonly string[]) {
  const browser = await launchQuietly(found?.path ?? '');
  try {
    return await precheckExample(example, browser, { selected });
  } finally {
    await browser.close();
  }
}

test('an app is not blamed for an installation that it refuses to a client that it has locked out', {
  skip,
}, async () => {
  const selected = ['app.hash.exact-first', 'app.installations.own-auth-code'];
  const { broken, results } = await precheckAlone({ ...LOCKING_OUT[0]!, kind: 'app' }, selected);
  assert.deepEqual(broken, []);
  const second = results.find(({ id }) => id === 'app.installations.own-auth-code');
  assert.equal(second?.verdict, 'inconclusive');
  assert.match(second.reason ?? '', /locks out a client that sends many forged requests/);
});

test('a host of labels is not blamed for what it refuses to several requests at once', { skip }, async () => {
  const example = (await examples()).find(({ id }) => id === 'label.variant.one-label-served-at-a-time');
  const { results } = await precheckAlone(example!, ['provider.label.is-pdf']);
  assert.deepEqual(
    results.map(({ id, verdict }) => [id, verdict]),
    [['provider.label.is-pdf', 'pass']],
  );
});
