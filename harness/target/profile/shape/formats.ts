/** The formats of texts in a profile, with what to write instead of a text that does not fit. */
import { isIP } from 'node:net';
import type { Format } from './index.ts';

/** What is wrong with a text of that format, as the end of a sentence; `shown` is the text as it may be printed. */
export function formatFault(format: Format, text: string, shown: string): string | undefined {
  if (format === 'country')
    return /^[A-Za-z]{2}$/.test(text) ? undefined : `must be a 2-letter country code, not "${shown}".`;
  if (format === 'domain') return domainFault(text, shown);
  if (!URL.canParse(text)) return `must be a full address such as https://host.example/, not "${shown}".`;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return `must begin with https:// (or http://), not "${url.protocol}".`;
  if (format === 'proxy') return undefined;
  if (url.username !== '' || url.password !== '')
    return format === 'base-v1'
      ? 'contains a user name or password, which no request can carry beside its key: let the gate read another header, and set that in "headers".'
      : 'contains a user name or password: give it as a header in "headers" instead.';
  if (format === 'web-address') return undefined;
  const ending = format === 'base-v1' ? '/v1/' : '/api/';
  if (url.search !== '' || url.hash !== '') return `is a base address: remove what follows "${url.pathname}".`;
  if (url.pathname.endsWith(ending)) return undefined;
  const nearly = `${url.pathname}/`.endsWith(ending);
  // The address of an operation, or one in capitals, has the base in it.
  const inside = url.pathname.toLowerCase().indexOf(ending);
  if (shown !== text) return `must end with "${ending}" (the spec's bases do), which "${shown}" does not.`;
  const better = nearly
    ? `${url.origin}${url.pathname}/`
    : inside >= 0
      ? `${url.origin}${url.pathname.slice(0, inside)}${ending}`
      : `${url.origin}${url.pathname.replace(/(?<!\/)\/*$/, '')}${ending}`;
  const isOther = url.pathname.endsWith(format === 'base-v1' ? '/api/' : '/v1/');
  const other = format === 'base-v1' ? 'api' : 'v1';
  const exchanged = isOther ? `swap it with "${other}" if it is the address of that one, else ` : '';
  return `must end with "${ending}" (the spec's bases do): ${exchanged}write "${better}".`;
}

/** The contract attaches a domain name without www; an address or a host with www is a mistake that can be corrected here. */
function domainFault(text: string, shown: string): string | undefined {
  const host = (
    URL.canParse(text) && text.includes('://') ? new URL(text).hostname : (text.split(/[/:?#]/, 1)[0] ?? '')
  )
    .replace(/^www\./i, '')
    .replace(/\.$/, '');
  const isName =
    /^[^\s/:@?#\\.]+(\.[^\s/:@?#\\.]+)+$/.test(host) && isIP(host) === 0 && URL.canParse(`http://${host}/`);
  if (isName && host === text) return undefined;
  if (!isName) return `must be a domain name such as shop.example, not "${shown}".`;
  const what = 'must be a domain name without scheme, path and www';
  return shown === text ? `${what}: write "${host}".` : `${what}, which "${shown}" is not.`;
}
