/** The page that refuses a request: anyone can lead a user to it, by a link with any values. */

import type { BrowserContext, Page } from '@playwright/test';
import { ENCODING_NAMES } from '../../../contracts/install-hash/index.ts';
import { isServiceAddress } from '../../../harness/integrator/counterpart.ts';
import { once } from '../../../harness/integrator/once.ts';
import {
  type MarkupProbe,
  markupOf,
  scriptAddressOf,
  watchMarkup,
} from '../../../harness/integrator/page/form/markup-probe.ts';
import { collectText } from '../../../harness/integrator/page/inspection/received-text.ts';
import { inContext, open, waitUntilSettled } from '../../../harness/integrator/page/visit.ts';
import { type AppCheck, type AppContext, appCheck } from '../session.ts';
import { hashUnder, parametersOf, withHash, withParameters } from '../steps/address.ts';
import { hasInstallation } from '../steps/effects.ts';
import { givenFirst } from '../steps/given.ts';
import { journeyOf } from '../steps/user-flow/index.ts';

interface Refusal {
  /** What a page took for markup, or made a link to a script of. */
  readonly run: readonly string[];
  readonly showsHash: boolean;
}

/** An address, and what of it is markup by the number of that. */
interface Forged {
  readonly address: string;
  readonly names: ReadonlyMap<number, string>;
}

/** Loads with a wrong hash, and with markup in all that they carry; no numbers repeat. */
function forgedLoads({ session }: AppContext, authCode: string | undefined): Forged[] {
  const { counterpart, app } = session;
  let number = PATH;
  const withMarkup = (url: string, callback: 'as it is' | 'a script'): Forged => {
    const names = new Map<number, string>();
    const numbered = (name: string): number => {
      names.set(++number, name);
      return number;
    };
    const pairs = parametersOf(url).map(([name, value]): readonly [string, string] => {
      if (name !== 'callback') return [name, markupOf(numbered(name))];
      return [name, callback === 'a script' ? scriptAddressOf(numbered(name)) : value];
    });
    const named = [markupOf(numbered('the name of a parameter')), 'one'] as const;
    // Spaces as %20: a page that decodes its whole address leaves plus signs.
    return { address: withParameters(url, [...pairs, named], 'rfc3986'), names };
  };
  const install = counterpart.beginInstall().url;
  const settings = authCode === undefined ? undefined : counterpart.beginSettings(authCode).url;
  const elsewhere = URL.parse(`/${encodeURIComponent(markupOf(PATH))}`, app.installUrl);
  return [
    withMarkup(install, 'as it is'),
    withMarkup(install, 'a script'),
    ...(settings === undefined ? [] : [withMarkup(settings, 'as it is')]),
    ...(elsewhere === null ? [] : [{ address: elsewhere.href, names: new Map([[PATH, 'a path']]) }]),
  ];
}

/** The number of the markup in a path; the others follow. */
const PATH = 0;

const refusalsOf = once(async (context: AppContext): Promise<Refusal> => {
  const { session } = context;
  await givenFirst(context);
  const { settings } = await journeyOf(context);
  const isOpen = settings !== undefined && hasInstallation(session, settings.authCode);
  const secret = session.app.secret?.reveal() ?? '';
  const rightOf = (url: string): string[] => ENCODING_NAMES.map((encoding) => hashUnder(url, secret, encoding));
  // Of the usual values, which every page can write as they are.
  const usual = withHash(session.counterpart.beginInstall().url, '0a'.repeat(32));
  const received = await inContext(
    () => session.browserContext(),
    (browser) => receivedAt(context, browser, usual),
  );
  const showsHash = rightOf(usual).some((right) => received.includes(right));
  return inContext(
    () => session.browserContext(),
    async (browser) => {
      const probe = await watchMarkup(browser);
      const run = new Set<string>();
      // Beside each other, for an app that takes seconds for each.
      const loads = forgedLoads(context, isOpen ? settings.authCode : undefined);
      const found = await Promise.all(loads.map(async (forged) => foundAt(await browser.newPage(), forged, probe)));
      for (const name of found.flat()) run.add(name);
      return { run: [...run], showsHash };
    },
  );
});

/** All that a browser is given at an address: what it shows, and what headers and answers to scripts hold. In lower case. */
async function receivedAt({ session }: AppContext, browser: BrowserContext, address: string): Promise<string> {
  const texts = collectText(browser, (url) => isServiceAddress(session.counterpart, url));
  const page = await browser.newPage();
  await waitUntilSettled(page, await open(page, address));
  const shown = await page.content().catch(() => '');
  return `${shown}\n${await texts.all()}`.toLowerCase();
}

async function foundAt(page: Page, { address, names }: Forged, probe: MarkupProbe): Promise<string[]> {
  await open(page, address);
  const found = await probe.found(page);
  await page.close();
  return [...names].flatMap(([number, name]) => (found.has(number) ? [name] : []));
}

const needs = ['browser', 'app'];

export const checks: readonly AppCheck[] = [
  appCheck(
    'app.hash.refusal-markup',
    'SHOULD NOT run markup in a request that it refuses',
    { clauses: ['app.hash.refusal-markup'], needs },
    async (context) => {
      const { run } = await refusalsOf(context);
      const names = run.join(', ');
      context.expect.that(
        run.length === 0,
        `a page for a request that is not authentic runs markup in ${names}, or links to a script there: any link can lead a user of the app to it. Escape each value where it is written into a page`,
        { expected: 'the values as text, or not at all', actual: `scripts in ${names}` },
      );
    },
  ),
  appCheck(
    'app.hash.right-hash-hidden',
    'SHOULD NOT show the hash that would have been right',
    { clauses: ['app.hash.right-hash-hidden'], needs },
    async (context) => {
      const { showsHash } = await refusalsOf(context);
      context.expect.that(
        !showsHash,
        'the page that refuses a request shows the hash that would have been right, or a header or an answer to a script has it: anyone can make any request authentic with its help',
        { expected: 'a refusal without the hash' },
      );
    },
  ),
];
