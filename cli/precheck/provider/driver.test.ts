/** What a label page asks of a person. With a driver it is judged, without one it is not blamed. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser } from '@playwright/test';
import LabelPage, { type Fields } from '../../../examples/integrators/label/correct.ts';
import { page } from '../../../examples/integrators/support/http.ts';
import { launchQuietly } from '../../../harness/browser/launch.ts';
import { findBrowser } from '../../common/browser.ts';
import { folderFor } from '../../common/command.fixture.ts';
import { type ExampleRun, type PrecheckResult, precheckExample } from '../examples/run.ts';

const found = await findBrowser();
const skip = found === undefined ? 'there is no browser here' : false;

/** Shows two buttons, and takes only one size of parcel: only its makers know what to press. */
class Choosy extends LabelPage {
  readonly #waiting = new Map<string, Fields>();

  override async respond(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname !== '/print') return super.respond(request);
    const form = await request.formData();
    const fields = this.#waiting.get(String(form.get('ticket')));
    if (fields === undefined || form.get('size') !== 'XS-7') return page('That size is not known', '');
    return super.printLabel(fields);
  }

  override async printLabel(fields: Fields): Promise<Response> {
    if (!this.accepts(fields)) return this.refused();
    const ticket = randomUUID();
    this.#waiting.set(ticket, fields);
    return page(
      'Which size?',
      `<form method="post" action="/print"><input type="hidden" name="ticket" value="${ticket}">
<label>Size <input name="size"></label> <button>Print</button> <button>Print tomorrow</button></form>`,
    );
  }
}

/** The same, for the requests of any caller. */
class Careless extends Choosy {
  override accepts(): boolean {
    return true;
  }
}

const SUBMITS = `async submitLabelPage(page) {
  await page.fill('[name=size]', 'XS-7');
  await page.getByRole('button', { name: 'Print', exact: true }).click();
}`;

describe('a label page that needs a person', { skip }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchQuietly(found?.path ?? '');
  });
  after(() => browser?.close());

  const precheck = async (
    make: typeof LabelPage,
    run: ExampleRun,
  ): Promise<[PrecheckResult, Record<string, string>]> => {
    const result = await precheckExample({ kind: 'label', make: (settings) => new make(settings) }, browser, run);
    return [result, Object.fromEntries(result.results.map(({ id, verdict }) => [id, verdict]))];
  };
  const driverIn = (folder: string, steps: string): string => {
    const file = join(folder, 'driver.mjs');
    writeFileSync(file, `export default { ${steps} };\n`);
    return file;
  };

  test('is gone through with its driver, by forged requests too', async (t) => {
    const [result, verdicts] = await precheck(Careless, {
      driver: driverIn(folderFor(t), SUBMITS),
      selected: ['provider.label.sends-callback', 'provider.refusals.unsigned'],
    });
    const expected = { 'provider.label.sends-callback': 'pass', 'provider.refusals.unsigned': 'fail' };
    assert.deepEqual(verdicts, expected, result.findings.join('\n'));
  });

  test('is not blamed without a driver, nor where the driver fails; the reason says what to do', async (t) => {
    const selected = ['provider.label.sends-callback'];
    const [without, one] = await precheck(Choosy, { selected });
    assert.deepEqual(Object.values(one), ['inconclusive']);
    assert.match(without.findings.join('\n'), /more buttons than “Print”.*--driver FILE with submitLabelPage/);

    const driver = driverIn(folderFor(t), `async submitLabelPage() { throw new Error('the button has moved'); }`);
    const [failing, other] = await precheck(Choosy, { driver, selected });
    assert.deepEqual(Object.values(other), ['inconclusive']);
    assert.match(failing.findings.join('\n'), /submitLabelPage of the driver threw: the button has moved/);
  });
});
