/**
 * Spellings of an address that many routers take for the same page, and that a rule for the exact path does not apply to: what
 * verifies requests of that path alone lets these through.
 */
import { caseSwapped } from '../target/near-miss.ts';

const withPath = (url: string, change: (path: string) => string): string =>
  url.replace(/^(\w+:\/\/[^/?#]*)([^?#]*)/, (_, origin: string, path: string) => origin + change(path));

/** The address with the last part of its path written in another way; that of a host has no other spelling. */
const withLastPart = (url: string, spell: (part: string) => string): string =>
  withPath(url, (path) => {
    const parts = path.split('/');
    const last = parts.findLastIndex((part) => part !== '');
    return parts.map((part, at) => (at === last ? spell(part) : part)).join('/');
  });

/** The address with a slash at the end of its path, or without the one that is there; that of a host has no other spelling. */
export const withOtherSlash = (url: string): string =>
  withPath(url, (path) => (path.length < 2 ? path : path.endsWith('/') ? path.slice(0, -1) : `${path}/`));

/** The address with the last part of its path in the other letter case. */
export const withOtherPathCase = (url: string): string =>
  withLastPart(url, (part) => (part.includes('%') ? part : (caseSwapped(part) ?? part)));

/** The address with a parameter behind the last part of its path, which servlet containers take away before they look for a page. */
export const withPathParameter = (url: string): string => withLastPart(url, (part) => `${part};v=1`);

/** The address with two slashes in front of the last part of its path, which many servers take for one. */
export const withDoubleSlash = (url: string): string => withLastPart(url, (part) => `/${part}`);

/** The address with one letter of its path percent-encoded, which is the same path: a rule may compare it before it is decoded. */
export const withEncodedLetter = (url: string): string =>
  withLastPart(url, (part) => part.replace(/^[a-z]/i, (letter) => `%${letter.charCodeAt(0).toString(16)}`));

/** The address with the ending of a format, which some frameworks take away before they look for a page. */
export const withFormat = (url: string): string =>
  withLastPart(url, (part) => (part.includes('.') ? part : `${part}.json`));

/** The address with the name of a default page behind its path, which frameworks take for it, and script files for a path of their own. */
export const withIndex = (url: string): string => withLastPart(url, (part) => `${part}/index`);

/** All of these, each with what its change is called. */
export const PATH_SPELLINGS: readonly (readonly [change: string, spell: (url: string) => string])[] = [
  ['one slash more or less at the end of its path', withOtherSlash],
  ['its path in the other letter case', withOtherPathCase],
  ['a parameter behind its path (;v=1)', withPathParameter],
  ['two slashes instead of one in its path', withDoubleSlash],
  ['a percent-encoded letter in its path', withEncodedLetter],
  ['.json at the end of its path', withFormat],
  ['/index at the end of its path', withIndex],
];
