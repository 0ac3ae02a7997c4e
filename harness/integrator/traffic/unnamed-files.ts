/**
 * Files that no page names, and that servers hand to anyone who asks for them by their usual names: configuration, logs, and what an
 * editor leaves beside a program. Only such names are tried, each by one GET on the integrator's own host.
 */
import pMap from 'p-map';
import type { IntegratorSession } from '../session.ts';

/** In the folder of a page, and at the root of its host. */
const USUAL = [
  // The folder itself, which some servers list.
  './',
  '.env',
  '.env.local',
  '.env.production',
  'config.json',
  'config.js',
  'config.yml',
  'config.yaml',
  'appsettings.json',
  'config.ini',
  'config.php.bak',
  'env.js',
  'docker-compose.yml',
  'phpinfo.php',
  'info.php',
  'error_log',
  'error.log',
  'debug.log',
  'app.log',
  // Programs, where their whole folder is served.
  'server.js',
  'server.mjs',
  'server.py',
  'app.js',
  'index.js',
  'app.py',
  'main.py',
  'settings.py',
];
/** At the root alone: what is beside the folder that should be served, and what frameworks show developers. */
const AT_ROOT = [
  '.git/config',
  '.env.bak',
  'application.properties',
  'app.log',
  'logs/app.log',
  'main.go',
  'web.config',
  'elmah.axd',
  'trace.axd',
  'actuator/env',
  'actuator/configprops',
  '_profiler/latest',
  'debug/vars',
  'api/debug',
  'api/config',
];
/** At the root as well, where a page is a PHP program: what common content systems and frameworks write. */
const OF_PHP = ['wp-content/debug.log', 'wp-config.php.bak', 'storage/logs/laravel.log'];
const IS_PHP = /\.php$|\/wp-/i;
/** What follows the name of a program in a copy of it. */
const COPIES = ['.bak', '.old', '.save', '~'];

const AT_A_TIME = 4;
const FILE_TIMEOUT_MS = 3_000;
/** All of them: a host that does not respond to such names is not waited for. */
const ALL_MS = 12_000;

/** The addresses of such files for the pages of an integrator, each once. */
export function unnamedFilesOf(pages: readonly string[]): readonly string[] {
  const addresses = pages.flatMap((page) => {
    const { pathname } = new URL(page);
    const beside = USUAL.flatMap((name) => [`/${name}`, new URL(name, page).pathname]);
    const copies = /\.[a-z]+$/i.test(pathname) ? COPIES.map((end) => pathname + end) : [];
    const atRoot = [...AT_ROOT, ...(IS_PHP.test(pathname) ? OF_PHP : [])].map((name) => `/${name}`);
    return [...beside, ...atRoot, ...copies].map((path) => new URL(path, page).href);
  });
  return [...new Set(addresses)];
}

/**
 * Asks for such files, and searches what is served for secrets. Without the cookies of any user, and without following redirects. The
 * manifest may be served to the precheck, with the secret in it.
 */
export async function searchUnnamedFiles(
  { fetcher, watch }: Pick<IntegratorSession, 'fetcher' | 'watch'>,
  pages: readonly (string | undefined)[],
  manifest: string | undefined,
): Promise<void> {
  const ends = performance.now() + ALL_MS;
  const known = pages.filter((page) => page !== undefined && URL.canParse(page)) as string[];
  const ask = async (url: string): Promise<readonly string[]> => {
    if (performance.now() > ends) return [];
    const options = { role: 'a file that no page names', redirects: 0, timeoutMs: FILE_TIMEOUT_MS } as const;
    const fetched = await fetcher.fetch(url, options).catch(() => undefined);
    if (fetched === undefined) return [];
    const text = Buffer.from(fetched.bytes).toString('utf8');
    // A server may show its configuration where it says that something is not there.
    const isFile = fetched.status === 200;
    const where = isFile
      ? `a file that no page names, ${new URL(url).pathname}`
      : `a page with status ${fetched.status}`;
    watch.snapshot(where, text, url, fetched.exchange);
    return isFile && url.endsWith('/') ? filesListedIn(text, url) : [];
  };
  const addresses = unnamedFilesOf(known).filter((address) => address !== manifest);
  const listed = await pMap(addresses, ask, { concurrency: AT_A_TIME });
  const more = [...new Set(listed.flat())].filter((file) => file !== manifest && !addresses.includes(file));
  await pMap(more.slice(0, MAX_LISTED), ask, { concurrency: AT_A_TIME });
}

/** A folder may hold a whole project. */
const MAX_LISTED = 20;
/** What servers call the page that lists a folder. */
const LISTING = /<title>\s{0,9}(?:index of|directory listing|listing (?:of|directory)|files within) /i;
const HREF = /\bhref\s{0,9}=\s{0,9}["']?([^"'>\s]+)/gi;
/** A program that a server runs gives nothing away, and may do something. */
const RUN = /\.(?:php|phtml|cgi|pl|aspx?|jsp)$/i;

/** The files in the list that a server makes of a folder, with their addresses; folders in it are left out. */
function filesListedIn(page: string, folder: string): string[] {
  if (!LISTING.test(page)) return [];
  return [...page.matchAll(HREF)].flatMap(([, href = '']) => {
    const address = URL.parse(href, folder);
    const isFile = address !== null && !address.pathname.endsWith('/') && !RUN.test(address.pathname);
    return isFile && address.search === '' && address.href.startsWith(folder) ? [address.href] : [];
  });
}
