/**
 * Spellings of an address that many routers take for the same page, and that a rule for the exact path does not apply to: what
 * verifies requests of that path alone lets these through.
 */
import { caseSwapped } from '../target/near-miss.ts';

const withPath = (url: string, change: (path: string) => string): string =>
  url.replace(/^(\w+:\/\/[^/?#]*)([^?#]*)/, (_, origin: string, path: string) => origin + change(path));

/** The address with a slash at the end of its path, or without the one that is there; that of a host has no other spelling. */
export const withOtherSlash = (url: string): string =>
  withPath(url, (path) => (path.length < 2 ? path : path.endsWith('/') ? path.slice(0, -1) : `${path}/`));

/** The address with the last part of its path in the other letter case. */
export const withOtherPathCase = (url: string): string =>
  withPath(url, (path) => {
    const parts = path.split('/');
    const last = parts.findLastIndex((part) => part !== '');
    return parts.map((part, at) => (at === last && !part.includes('%') ? (caseSwapped(part) ?? part) : part)).join('/');
  });
