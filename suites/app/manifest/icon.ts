/** What the addresses of the manifest lead to: the icon is inspected, the others have to exist. */

import { isJsonObject } from '../../../contracts/json/object.ts';
import { judgeIcon } from '../../../contracts/manifests/index.ts';
import type { Fault } from '../../../contracts/run/fault.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import type { Fetched } from '../../../harness/integrator/fetch/fetcher.ts';
import { lostAddresses } from '../../../harness/integrator/fetch/lost-addresses.ts';
import { type AppCheck, type AppContext, type AppSession, appCheck } from '../session.ts';
import { expectNoFaults, isAddressAdvice, isIconFault } from './manifest.ts';

interface Icon {
  readonly response: Fetched;
  readonly faults: readonly Fault[];
}

const icons = new WeakMap<AppSession, Promise<Icon>>();

/** The icon, fetched once for all its checks. */
function iconOf({ session, given }: AppContext): Promise<Icon> {
  const { app } = session;
  given.holds(!app.faults.some(isIconFault), 'app.manifest.icon-url', 'the manifest has no usable app_icon');
  const known = icons.get(session);
  if (known !== undefined) return known;
  const fetched = session.fetcher
    .fetch(String(app.manifest.app_icon), { role: 'icon' })
    .then((response) => ({ response, faults: judgeIcon(response.bytes) }));
  icons.set(session, fetched);
  return fetched;
}

const isServed = ({ response }: Icon): boolean => response.status >= 200 && response.status < 300;

async function shownIcon(context: AppContext): Promise<Icon> {
  const icon = await iconOf(context);
  context.restOn([icon.response.exchange]);
  const shown = isServed(icon) && !icon.faults.some(({ rule }) => rule === 'icon.image');
  context.given.holds(shown, 'app.manifest.icon-url', 'app_icon does not lead to an image');
  return icon;
}

function expectNoIconFaults(context: AppContext, { response, faults }: Icon, rule: string): void {
  const of = faults.filter((fault) => fault.rule === rule && fault.level === 'MUST');
  context.expect.noFaults(of, `line ${context.session.app.lineOf('/app_icon')}, /app_icon`, {
    pointer: '/app_icon',
    exchange: response.exchange,
  });
}

/** Addresses for people, each with the places that name it: icon, screenshots and the vendor's pages. */
export function otherAddresses(manifest: AppSession['app']['manifest']): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const add = (value: unknown, pointer: string): void => {
    if (typeof value === 'string' && URL.canParse(value) && /^https?:/i.test(value))
      found.set(value, [...(found.get(value) ?? []), pointer]);
    else if (isJsonObject(value)) for (const [name, one] of Object.entries(value)) add(one, `${pointer}/${name}`);
  };
  add(manifest.app_icon, '/app_icon');
  add(manifest.app_screenshots, '/app_screenshots');
  const vendor = isJsonObject(manifest.app_vendor) ? manifest.app_vendor : {};
  for (const name of ['company_url', 'support_url', 'privacy_url', 'tos_url']) add(vendor[name], `/app_vendor/${name}`);
  return found;
}

/** A manifest in thirty languages is not waited for in full. */
const MAX_VISITED = 24;

export const checks: readonly AppCheck[] = [
  appCheck(
    'app.manifest.icon-url',
    'MUST have app_icon as the address of an image',
    { clauses: ['app.manifest.icon-url'], needs: [] },
    async (context) => {
      const wrong = context.session.app.faults.filter(isIconFault);
      expectNoFaults(context, wrong);
      const icon = await iconOf(context);
      context.restOn([icon.response.exchange]);
      const at = `line ${context.session.app.lineOf('/app_icon')}, /app_icon`;
      context.expect.that(
        isServed(icon),
        `${at}: the address returns status ${icon.response.status} instead of an image`,
        {
          pointer: '/app_icon',
          exchange: icon.response.exchange,
        },
      );
      expectNoIconFaults(context, icon, 'icon.image');
    },
  ),
  appCheck(
    'app.manifest.icon-square',
    'MUST have a square icon',
    { clauses: ['app.manifest.icon-square'], needs: [] },
    async (context) => {
      const icon = await shownIcon(context);
      notJudged(icon);
      expectNoIconFaults(context, icon, 'icon.square');
    },
  ),
  appCheck(
    'app.manifest.icon-size',
    'MUST have an icon of at least 80 by 80 pixels',
    { clauses: ['app.manifest.icon-size'], needs: [] },
    async (context) => {
      const icon = await shownIcon(context);
      notJudged(icon);
      expectNoIconFaults(context, icon, 'icon.size');
    },
  ),
  appCheck(
    'app.manifest.reachable-urls',
    'SHOULD have reachable https addresses for icon, screenshots and vendor pages',
    { clauses: ['app.manifest.reachable-urls'], needs: [] },
    async (context) => {
      const { session } = context;
      // One page for all of them is requested once: a server that does one thing at a time would be kept busy by it.
      const visited = [...otherAddresses(session.app.manifest)].slice(0, MAX_VISITED);
      const why = await lostAddresses(
        session.fetcher,
        visited.map(([url]) => url),
        { role: 'address' },
      );
      const lost = visited.flatMap(([url, pointers]) =>
        why.has(url)
          ? pointers.map((pointer) => ({ pointer, message: `${url} can't be reached: ${why.get(url)}` }))
          : [],
      );
      const advice = session.app.faults.filter(isAddressAdvice);
      const faults = [...advice, ...lost.map((one) => ({ ...one, rule: 'address', level: 'SHOULD' as const }))];
      expectNoFaults(context, faults);
    },
  ),
];

/** A format that we don't read is an image, but its size is not known. */
function notJudged({ faults }: Icon): void {
  const unread = faults.find(
    ({ rule, level }) => level === 'SHOULD' && (rule === 'icon.format' || rule === 'icon.size'),
  );
  if (unread?.rule === 'icon.format')
    throw new Inconclusive(`${unread.message} Use PNG, JPEG, GIF, WebP or SVG.`, 'target');
}
