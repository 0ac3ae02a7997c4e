/** The report as a reader's browser shows it. Skipped, with the reason, where there is no browser. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test';
import type { RunEvent } from '../../contracts/run/events.ts';
import { findBrowser } from '../../scripts/browser/browser.mjs';
import { renderJunit } from '../ci/junit.ts';
import { foldResults } from '../results/index.ts';
import { CLAUSES, HOSTILE, sampleRun } from '../sample.fixture.ts';
import { visible } from '../words/text.ts';
import { foldEvidence } from './exchanges/evidence.ts';
import { renderHtml } from './index.ts';

const { path: executablePath = '' } = (await findBrowser()) ?? {};
const skip =
  executablePath === '' && 'no browser was found: run `npm run setup`, or set PROOFMARK_BROWSER to a Chromium';

describe('the report in a browser', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-page-'));
  const file = join(folder, 'report.html');
  let browser: Browser;

  before(async () => {
    const events = hostileEverywhere(sampleRun());
    const results = foldResults(events, CLAUSES);
    writeFileSync(file, renderHtml(results, foldEvidence(events, results)));
    browser = await chromium.launch({
      executablePath,
      args: ['--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    });
  });
  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens the report and gives, at the end, what the browser complained of and asked for. */
  async function opened(body: (page: Page) => Promise<void>, options: BrowserContextOptions = {}): Promise<void> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    page.setDefaultTimeout(5000);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith('file:') && !url.startsWith('data:image/png;base64,')) complaints.push(`request: ${url}`);
    });
    await page.goto(pathToFileURL(file).href);
    await body(page);
    assert.deepEqual(complaints, []);
    await context.close();
  }

  test('the bar does not cover the finding that is gone to, at any width', async () => {
    for (const width of [700, 1024, 1720]) {
      const viewport = { width, height: 700 };
      await opened(
        async (page) => {
          await page.keyboard.press('n');
          const [bar, finding] = await page.evaluate(() => {
            const found = document.activeElement?.closest('[data-stop]');
            const edges = [document.querySelector('nav.sections')?.getBoundingClientRect().bottom];
            return [...edges, found?.getBoundingClientRect().top];
          });
          assert.ok(bar !== undefined && finding !== undefined && bar > 0 && bar <= finding, `${bar}, ${finding}`);
        },
        { viewport },
      );
    }
  });

  test('everything that a target sent appears as text', async () => {
    await opened(async (page) => {
      const text = await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
        return document.body.textContent ?? '';
      });
      assert.ok(text.split(visible(HOSTILE)).length > 10);
      assert.equal(await page.title(), `Not conformant: ${visible(HOSTILE)}, Proofmark`);
      const foreign = await page.evaluate(() => ({
        scripts: [...document.scripts].filter((script) => script.type !== 'application/json').length,
        pictures: [...document.images].filter((image) => !image.src.startsWith('data:image/png;base64,')).length,
        frames: document.querySelectorAll('iframe, object, embed, form:not(.filter), link, base').length,
        links: [...document.links].filter(
          (link) => !/^(?:#|traces\/[a-z0-9.-]+\.zip$)/.test(link.getAttribute('href') ?? ''),
        ).length,
      }));
      assert.deepEqual(foreign, { scripts: 1, pictures: 0, frames: 0, links: 0 });
    });
  });

  test('says everything without its script', async () => {
    await opened(
      async (page) => {
        await page.getByRole('heading', { level: 1, name: /Not conformant/ }).waitFor();
        assert.equal(await page.getByRole('searchbox').count(), 0);
        assert.equal(await page.getByRole('button', { name: 'Copy curl' }).count(), 0);
        await page.getByText('MUST create a method that reads back as it was sent').first().waitFor();
        assert.ok(await page.locator('details.exchange').first().isVisible());
      },
      { javaScriptEnabled: false },
    );
  });

  test('finds clauses, checks and exchanges by words, and keeps the search in its address', async () => {
    await opened(async (page) => {
      const rows = page.locator('[data-row]:visible');
      const find = page.getByRole('searchbox');
      await find.fill('pickup refuses-101');
      assert.equal(await page.locator('details.clause:visible').count(), 1);
      assert.equal(new URLSearchParams(new URL(page.url()).hash.slice(2)).get('find'), 'pickup refuses-101');
      const address = page.url();
      await page.getByRole('checkbox', { name: 'failed' }).check();
      assert.equal(await rows.count(), 0);
      await page.getByRole('button', { name: 'Show all' }).click();
      assert.ok((await rows.count()) > 3);
      await find.fill('countries');
      await page.getByText('2 of 4 exchanges').waitFor();
      await page.goto(`${address}`);
      await page.reload();
      assert.equal(await find.inputValue(), 'pickup refuses-101');
      assert.equal(await page.locator('details.clause:visible').count(), 1);
    });
  });

  test('a link opens what it leads to, even when a search hides it', async () => {
    await opened(async (page) => {
      await page.getByRole('searchbox').fill('nothing has this name');
      await page.evaluate(() => {
        location.hash = '#check-delivery.batch.refuses-101';
      });
      await page.locator('[id="check-delivery.batch.refuses-101"]').waitFor();
    });
  });

  test('every exchange has an address, and is unpacked when it is asked for', async () => {
    await opened(async (page) => {
      assert.equal(await page.locator('#exchange-3').count(), 0);
      await page.evaluate(() => {
        location.hash = '#exchange-3';
      });
      await page.locator('#exchange-3[open]').getByText('Bytes that are not UTF-8, as base64.').waitFor();
      await page.locator('#browse').click();
      assert.equal(await page.locator('#exchange-list details').count(), 4);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      await page.locator('#exchange-list').getByText(visible(HOSTILE)).first().waitFor();
      assert.equal(await page.evaluate(() => document.images.length), 1);
    });
  });

  test('says so where a browser can not unpack', async () => {
    const context = await browser.newContext();
    await context.addInitScript(() => {
      Reflect.deleteProperty(globalThis, 'DecompressionStream');
    });
    const page = await context.newPage();
    await page.goto(`${pathToFileURL(file).href}#exchange-3`);
    await page.locator('#exchange-list').getByText("can't unpack").waitFor();
    await context.close();
  });

  test('keys lead to the next and the previous finding, and to the search', async () => {
    await opened(async (page) => {
      const focused = () => page.evaluate(() => document.activeElement?.id ?? '');
      await page.keyboard.press('n');
      assert.equal(await focused(), 'check-delivery.method.add.reads-back');
      assert.ok(page.url().endsWith('#check-delivery.method.add.reads-back'));
      await page.keyboard.press('n');
      assert.notEqual(await focused(), 'check-delivery.method.add.reads-back');
      await page.keyboard.press('p');
      assert.equal(await focused(), 'check-delivery.method.add.reads-back');
      await page.keyboard.press('/');
      await page.keyboard.type('n');
      assert.equal(await page.getByRole('searchbox').inputValue(), 'n');
    });
  });

  test('copies the command exactly, hidden characters too', async () => {
    await opened(
      async (page) => {
        await page.getByRole('button', { name: 'Copy curl' }).first().click();
        await page.getByRole('button', { name: 'Copied' }).waitFor();
        const copied = await page.evaluate(() => navigator.clipboard.readText());
        assert.ok(copied.startsWith('curl -sS -g -i -X POST'));
        assert.ok(copied.includes('\u202e\u0007'));
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    );
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`every text can be read in ${colorScheme}, and nothing is wider than a phone`, async () => {
      await opened(
        async (page) => {
          await page.evaluate(() => {
            for (const details of document.querySelectorAll('details')) details.open = true;
          });
          assert.deepEqual(await page.evaluate(weakContrasts), []);
          const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
          assert.ok((content as number) <= (screen as number), `${content} > ${screen}`);
        },
        { colorScheme, viewport: { width: 390, height: 800 } },
      );
    });
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`axe reports nothing in ${colorScheme}, closed and with everything open`, async () => {
      await opened(
        async (page) => {
          await page.locator('#browse').click();
          for (const isOpen of [false, true]) {
            await page.evaluate((open) => {
              if (open) for (const details of document.querySelectorAll('details')) details.open = true;
            }, isOpen);
            const { violations } = await new AxeBuilder({ page }).analyze();
            assert.deepEqual(
              violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
              [],
            );
          }
        },
        { colorScheme },
      );
    });
  }

  test('prints verdict, findings and remedies on a few pages, and evidence only when it is asked for', async () => {
    await opened(async (page) => {
      await page.emulateMedia({ media: 'print' });
      assert.ok(await page.getByRole('heading', { level: 1 }).isVisible());
      assert.ok(await page.locator('article.card h3').first().isVisible());
      assert.equal(await page.locator('#contract').isVisible(), false);
      assert.equal(await page.locator('details.exchange').first().isVisible(), false);
      await page.evaluate(() => document.documentElement.classList.add('with-evidence'));
      assert.ok(await page.locator('#contract').isVisible());
    });
  });

  test('can be walked by keyboard and by landmarks', async () => {
    await opened(async (page) => {
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the findings');
      await page.keyboard.press('Enter');
      assert.equal(await page.evaluate(() => location.hash), '#main');
      for (const role of ['main', 'banner', 'contentinfo', 'navigation'] as const) {
        assert.equal(await page.getByRole(role).count(), 1, role);
      }
      const levels = await page.evaluate(() =>
        [...document.querySelectorAll('h1, h2, h3, h4')].map((heading) => Number(heading.tagName[1])),
      );
      assert.equal(levels.filter((level) => level === 1).length, 1);
      for (const [index, level] of levels.entries())
        assert.ok(level <= (levels[index - 1] ?? 0) + 1, `heading ${index} skips a level`);
      const nameless = await page.evaluate(
        () =>
          [...document.querySelectorAll('input, button, img, svg[role=img]')].filter(
            (element) =>
              !(
                element.getAttribute('aria-label') ??
                element.getAttribute('alt') ??
                element.closest('label')?.textContent ??
                element.textContent
              )?.trim(),
          ).length,
      );
      assert.equal(nameless, 0);
    });
  });

  test('junit.xml is XML to a parser of XML', async () => {
    await opened(async (page) => {
      const xml = renderJunit(foldResults(hostileEverywhere(sampleRun()), CLAUSES));
      const found = await page.evaluate((text) => {
        const parsed = new DOMParser().parseFromString(text, 'text/xml');
        return [parsed.querySelectorAll('parsererror').length, parsed.querySelectorAll('testcase').length];
      }, xml);
      assert.deepEqual(found, [0, 8]);
    });
  });
});

/** Every text that a target, a profile or a driver may hold: hostile. */
function hostileEverywhere(events: readonly RunEvent[]): RunEvent[] {
  return events.map((event) => {
    if (event.type === 'header')
      return { ...event, target: { name: HOSTILE, kind: HOSTILE }, command: HOSTILE, run: HOSTILE };
    if (event.type === 'footer') return { ...event, notices: [HOSTILE], timings: { ...event.timings, [HOSTILE]: 3 } };
    if (event.type === 'check')
      return {
        ...event,
        pointer: HOSTILE,
        ...(event.reason === undefined ? {} : { reason: `${event.reason} ${HOSTILE}` }),
      };
    if (event.type !== 'exchange') return event;
    return {
      ...event,
      role: HOSTILE,
      at: HOSTILE,
      request: { ...event.request, method: HOSTILE, headers: [[HOSTILE, HOSTILE] as const], body: { text: HOSTILE } },
    };
  });
}

/** Runs in the page: texts whose colour stands out from what is behind them by less than 4.5 to 1. */
function weakContrasts(): string[] {
  const channels = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color: number[]): number => {
    const [red = 0, green = 0, blue = 0] = color.slice(0, 3).map((channel) => {
      const share = channel / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const weak = new Set<string>();
  for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
    const says = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    if (!says || !element.checkVisibility() || ['SCRIPT', 'STYLE'].includes(element.tagName)) continue;
    let behind: Element | null = element;
    while (behind && channels(getComputedStyle(behind).backgroundColor)[3] === 0) behind = behind.parentElement;
    const background = behind === null ? [255, 255, 255] : channels(getComputedStyle(behind).backgroundColor);
    const [light, dark] = [luminance(channels(getComputedStyle(element).color)), luminance(background)].sort(
      (a, b) => b - a,
    ) as [number, number];
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < 4.5) weak.add(`${element.tagName}.${element.className} ${ratio.toFixed(2)}`);
  }
  return [...weak];
}
