/** `proofmark report --har` and `--pdf`: the exchanges of a run for other tools, and its report on paper. */
import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../../harness/process/usage-error.ts';
import { PROOFMARK_VERSION } from '../../harness/process/version.ts';
import { readEvents } from '../../reports/events/read.ts';
import { EVENTS_FILE } from '../../reports/files.ts';
import { HAR_END, harEntry, harStart } from '../../reports/har/entry.ts';
import { findBrowser } from '../common/browser.ts';

/** Writes all exchanges of the run in `folder` into its `exchanges.har`, and returns the path. */
export async function writeHar(folder: string): Promise<string> {
  const file = join(folder, 'exchanges.har');
  const temporary = `${file}.${process.pid}.new`;
  try {
    const out = createWriteStream(temporary);
    const done = finished(out);
    // An error shows when the end is awaited.
    done.catch(() => undefined);
    out.write(harStart(PROOFMARK_VERSION));
    let separator = '';
    for await (const event of readEvents(join(folder, EVENTS_FILE))) {
      if (event.type !== 'exchange') continue;
      const isRoom = out.write(`${separator}${JSON.stringify(harEntry(event))}`);
      separator = ',\n';
      if (!isRoom) await Promise.race([new Promise<void>((resume) => out.once('drain', () => resume())), done]);
    }
    out.end(HAR_END);
    await done;
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return file;
}

/** Prints the report in `folder` into its `report.pdf`, and returns the path. The browser loads nothing and runs nothing. */
export async function writePdf(folder: string, withEvidence: boolean): Promise<string> {
  const page = join(folder, 'report.html');
  if (!existsSync(page))
    throw new UsageError(`There is no ${page}: give the folder that \`proofmark run --out\` wrote.`);
  const found = await findBrowser();
  if (found === undefined) {
    throw new UsageError(
      'proofmark report --pdf needs a Chromium: run `npm run setup`, set PROOFMARK_BROWSER, or print report.html yourself.',
    );
  }
  // Only here: no other report needs a browser.
  const { chromium } = await import('@playwright/test');
  const browser = await chromium.launch({ executablePath: found.path });
  const file = join(folder, 'report.pdf');
  try {
    const context = await browser.newContext({ javaScriptEnabled: false, offline: true });
    const tab = await context.newPage();
    await tab.goto(pathToFileURL(resolve(page)).href);
    if (withEvidence) {
      await tab.evaluate(() => {
        document.documentElement.classList.add('with-evidence');
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
    }
    await tab.pdf({ path: file, preferCSSPageSize: true, printBackground: true, tagged: true, outline: true });
  } finally {
    await browser.close();
  }
  return file;
}
