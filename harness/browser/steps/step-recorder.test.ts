/** Which browser steps a trace has: those of the check, and of the checks whose outcome it shares. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import { findBrowser } from '../../../cli/common/browser.ts';
import { createRedaction } from '../../evidence/redaction/index.ts';
import { launchQuietly, tracesFolderOf } from '../launch.ts';
import { StepRecorder } from './step-recorder.ts';

const found = await findBrowser();
const skip = found === undefined ? 'there is no browser here' : false;

test('a trace has the steps that a finding rests on, and no others', { skip }, async (t) => {
  const outDir = mkdtempSync(join(tmpdir(), 'proofmark-steps-'));
  t.after(() => rmSync(outDir, { recursive: true, force: true }));
  const browser = await launchQuietly(found!.path);
  t.after(() => browser.close());
  const recorder = new StepRecorder({ redaction: createRedaction(), showPersonalData: false, outDir });
  const [first, second] = [await browser.newContext(), await browser.newContext()];
  const visit = async (context: typeof first, word: string): Promise<void> => {
    await recorder.watch(context);
    await context.pages()[0]!.goto(`data:text/html,<title>${word}</title>${word}`);
  };
  for (const context of [first, second]) await context.newPage();
  const wordsIn = (file: string): string[] => {
    const text = Object.values(unzipSync(readFileSync(join(outDir, file)))).map((bytes) => strFromU8(bytes));
    return ['before', 'making', 'own', 'passing'].filter((word) => text.some((one) => one.includes(`<title>${word}`)));
  };

  await first.pages()[0]!.goto('data:text/html,<title>before</title>');
  recorder.begin('a.makes');
  await visit(first, 'making');
  const shared = recorder.current;
  assert.equal(await recorder.end(false), undefined);
  assert.ok(!existsSync(join(outDir, 'traces')), 'a check that passes keeps none');

  recorder.begin('a.passes');
  await visit(second, 'passing');
  assert.equal(await recorder.end(false), undefined);

  recorder.begin('a.rests');
  recorder.restOn(shared);
  assert.equal(recorder.pagesToPicture().length, 1, 'the page is as the steps have left it');
  const trace = await recorder.end(true);
  assert.deepEqual(trace, { file: 'traces/a.rests.zip' });
  assert.deepEqual(wordsIn('traces/a.rests.zip'), ['making']);

  recorder.begin('a.rests-as-well');
  recorder.restOn(shared);
  assert.deepEqual(recorder.pagesToPicture(), [], 'one finding shows it');
  assert.deepEqual(await recorder.end(true), trace, 'the same steps are one trace');

  recorder.begin('a.goes-on');
  recorder.restOn(shared);
  await visit(second, 'own');
  // What was recorded in a context is kept when it closes.
  await second.close();
  assert.deepEqual(await recorder.end(true), { file: 'traces/a.goes-on.zip' });
  assert.deepEqual(wordsIn('traces/a.goes-on.zip'), ['making', 'own']);

  recorder.begin('a.without-pages');
  assert.equal(await recorder.end(true), undefined);
  assert.deepEqual(readdirSync(join(outDir, 'traces')).sort(), ['a.goes-on.zip', 'a.rests.zip']);

  const raw = tracesFolderOf(browser)!;
  assert.ok(existsSync(raw));
  await browser.close();
  assert.ok(!existsSync(raw), 'raw recordings go with the browser');
});
