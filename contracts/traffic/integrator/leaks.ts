/** Keys and secrets of an app in what a browser receives (spec: What the service does, B; App manifest). */
import type { RuleContext, ServiceRequest } from '../call.ts';
import type { SeenExchange } from '../reading/seen.ts';

const KEY = 'app.leaks.key';
const SECRET = 'app.leaks.secret';
const PROVIDER_KEY = 'provider.leaks.key';
export const LEAK_CLAUSES = [KEY, SECRET, PROVIDER_KEY];

/** Shorter values occur by chance. */
const MIN_CHARACTERS = 8;
/** More of one text is data. */
const MAX_SEARCHED_CHARACTERS = 1024 * 1024;

/**
 * Looks through a page that a browser got from another party than the service. Names in `--keys` say what a value is:
 * one with "secret" in it is a secret, all others are keys. Only a find is said: other pages may not be in the recording.
 */
export function judgeLeak(seen: SeenExchange, { notes, facts }: RuleContext): void {
  const known = Object.entries(facts.keys).filter(([, value]) => value.length >= MIN_CHARACTERS);
  if (known.length === 0 || !isBrowser(seen)) return;
  const texts = textsOf(seen);
  for (const [name, value] of known) {
    const clause = /secret/i.test(name) ? SECRET : KEY;
    const forms = new Set([
      value,
      encodeURIComponent(value.toWellFormed()),
      JSON.stringify(value).slice(1, -1),
      Buffer.from(value)
        .toString('base64')
        .replace(/={1,2}$/, ''),
      Buffer.from(value).toString('hex'),
      `$${name}`,
    ]);
    const where = texts.find(({ text }) => [...forms].some((form) => text.includes(form)))?.where;
    if (where === undefined) continue;
    notes.breaks(clause, seen.n, {
      message: `${name} reaches the browser in ${where}`,
      pointer: where,
      expected: 'no trace of it',
      actual: name,
    });
  }
}

/** A page of the integrator that calls the service by itself has the key in the browser. */
export function judgeCallFromPage({ seen, behind, document }: ServiceRequest, { notes }: RuleContext): void {
  const page = seen.header('origin') ?? seen.header('referer') ?? '';
  const hasKey = /^\s*ApiKey\s+\S/i.test(seen.header('authorization') ?? '');
  if (document !== 'v1' || !hasKey || !isBrowser(seen) || !/^https?:\/\//i.test(page)) return;
  // The service's own pages and consoles may do so, and tools that speak for a developer have no page.
  if (siteOf(page) === siteOf(seen.origin)) return;
  notes.breaks(/^\/*apps\//.test(behind) ? KEY : PROVIDER_KEY, seen.n, {
    message: 'a page calls the service by itself, with the API key in the browser',
    pointer: 'header authorization',
    expected: 'calls by the server of the integrator alone',
    actual: `a call from ${new URL(page).origin}`,
  });
}

/** The last two labels of a host, which its subdomains share. Under `co.uk` that is less than a site, so that fewer calls are judged. */
const siteOf = (address: string): string => (URL.parse(address)?.hostname ?? '').split('.').slice(-2).join('.');

function textsOf(seen: SeenExchange): Array<{ where: string; text: string }> {
  const { request, response } = seen.exchange;
  const headers = (response?.headers ?? []).filter(([name]) => /^(?:location|set-cookie)$/i.test(name));
  const body = response?.body?.text ?? '';
  return [
    { where: 'an address', text: request.url },
    ...headers.map(([name, text]) => ({ where: `the header ${name.toLowerCase()}`, text })),
    { where: 'a page', text: body.slice(0, MAX_SEARCHED_CHARACTERS) },
  ];
}

/** What servers say to each other is not a leak. */
const isBrowser = (seen: SeenExchange): boolean => /^Mozilla\//.test(seen.header('user-agent') ?? '');
