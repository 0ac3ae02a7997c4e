/** What an integrator reads whose label page refuses authentic requests: the mistake, or message and signature to compare with. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from '@playwright/test';
import { findBrowser } from '../../../cli/common/browser.ts';
import { precheckExample } from '../../../cli/precheck/examples/run.ts';
import { hmacSha256 } from '../../../contracts/signing/digests.ts';
import { sign, signedFields, signedMessage } from '../../../contracts/signing/index.ts';
import LabelPage, { type Fields } from '../../../examples/integrators/label/correct.ts';
import { launchQuietly } from '../../../harness/browser/launch.ts';

const CHECK = 'provider.label.sends-callback';
const found = await findBrowser();
/** Each refusal is diagnosed by some dozen pages, which take most of the time. */
const skipsMore = process.env.PROOFMARK_SOAK === '1' ? false : 'PROOFMARK_SOAK=1 takes it';

interface Signed {
  readonly message: string;
  readonly signature: string;
}

/** It computes another signature than the one that it received. */
abstract class Mistaken extends LabelPage {
  readonly received: Fields[] = [];
  abstract own(fields: Fields): Signed;
  override accepts(fields: Fields): boolean {
    this.received.push(fields);
    return fields.some(([name, value]) => name === 'signature' && value === this.own(fields).signature);
  }
  signatureOf(message: string): string {
    return hmacSha256(this.settings.apiKey, message).toString('base64');
  }
}
class Sorted extends Mistaken {
  own(fields: Fields): Signed {
    const sorted = signedFields(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const message = sorted.map(([, value]) => value).join('');
    return { message, signature: this.signatureOf(message) };
  }
}
/** Of two mistakes, one is in the message and the other in the writing. */
class SortedInHex extends Sorted {
  override signatureOf(message: string): string {
    return hmacSha256(this.settings.apiKey, message).toString('hex');
  }
}
class Peppered extends Mistaken {
  own(fields: Fields): Signed {
    const message = `pepper${signedMessage(fields)}`;
    return { message, signature: this.signatureOf(message) };
  }
}
/** It accepts the signature, and fails afterwards. */
class Broken extends LabelPage {
  override async report(): Promise<Response> {
    return new Response('no printer', { status: 500 });
  }
}

describe('a label page that refuses authentic requests', { skip: found === undefined && 'there is no browser' }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchQuietly(found?.path ?? '');
  });
  after(() => browser?.close());

  async function judged(make: new (settings: LabelPage['settings']) => LabelPage) {
    const pages: LabelPage[] = [];
    const example = {
      kind: 'label' as const,
      make: (settings: LabelPage['settings']) => {
        const page = new make(settings);
        pages.push(page);
        return page;
      },
    };
    const { results } = await precheckExample(example, browser, { selected: [CHECK] });
    const result = results.find(({ id }) => id === CHECK)!;
    const { reason = '', expected, actual } = result as { reason?: string; expected?: unknown; actual?: unknown };
    return { verdict: result.verdict, reason, expected: expected as Signed, actual: actual as Signed, page: pages[0]! };
  }

  /** The request that is shown. Its message is not compared: passwords that the store's admin entered are masked in it. */
  function requestOf(page: LabelPage, { signature }: Signed): Fields {
    assert.ok(page instanceof Mistaken);
    const fields = page.received.find((one) => sign(one, page.settings.apiKey) === signature);
    assert.ok(fields, 'the signature is the right one of a request that the page received');
    return fields;
  }

  test('reads its known mistake, with both messages and both signatures', async () => {
    const { verdict, reason, expected, actual, page } = await judged(Sorted);
    assert.equal(verdict, 'fail');
    assert.match(
      reason,
      /^your label page refuses an authentic signature; its own signature would be correct if .*order/,
    );
    assert.notEqual(expected.message, actual.message);
    const request = requestOf(page, expected);
    assert.equal(actual.signature, new Sorted(page.settings).own(request).signature);
    assert.ok(expected.message.startsWith(request[0]![1]), 'in field order');
  });

  test('reads both of two mistakes', { skip: skipsMore }, async () => {
    const { reason, expected, actual } = await judged(SortedInHex);
    assert.match(reason, /would be correct if .*order.*, and if it were base64 instead of hexadecimal digits$/);
    assert.notEqual(expected.message, actual.message);
  });

  test('reads message and signature where no known mistake explains it', async () => {
    const { verdict, reason, expected, page } = await judged(Peppered);
    assert.equal(verdict, 'fail');
    assert.match(
      reason,
      /^your label page refuses an authentic signature, and no known mistake explains it: .* status 4/,
    );
    assert.ok(expected.message.startsWith(requestOf(page, expected)[0]![1]), 'in field order');
  });

  test('is not blamed for its signature where it answers a forged one otherwise', { skip: skipsMore }, async () => {
    const { verdict, reason } = await judged(Broken);
    assert.equal(verdict, 'fail');
    assert.doesNotMatch(reason, /signature/);
  });
});
