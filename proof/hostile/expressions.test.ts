/**
 * Regular expressions that can take much longer than their text is long. Two shapes are looked for in every source that reads text
 * of others: a repetition within a repetition, and a search that begins with a repetition without end, which starts again at each
 * character. An expression that has such a shape and is harmless is named below, with the reason.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['cli', 'contracts', 'harness', 'mock', 'reports', 'suites'];

/** A literal after what an expression may begin behind; comments and divisions do not parse as one, or do no harm. */
const LITERAL =
  /(?<=^|[(,=:[!&|?{};+\s])\/(?![*/])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuvy]*)(?=[\s.,;)\]}:?]|$)/gm;

const HARMLESS: Readonly<Record<string, string>> = {
  '/\\/*$/': 'It reads an address of the profile.',
  '/=+$/': 'It reads base64 that was made here.',
  '/^\\s*\\|(?:\\s*:?-+:?\\s*\\|)+\\s*$/': 'It reads the contract.',
  '/[.:\\s]+$/': 'It reads an error of a module of the user.',
  '/[0-9a-f]{8,}|[0-9]+/gi': 'Nothing follows that could fail.',
  '/\\s*\\n\\s*/g': 'It reads 2,000 characters.',
  '/\\/+$/': 'It reads an address, which is as long as a header at most.',
  '/[A-Za-z0-9+/_-]{24,}={0,2}/g': 'What follows can be absent.',
};

/** One element: a class, an escape or a character that has no meaning of its own. */
const ATOM = String.raw`(?:\[(?:\\.|[^\]\\])*\]|\\[pP]\{\w+\}|\\.|[^\\[\](){}|^$*+?])`;
const BEGINS_WITHOUT_END = new RegExp(String.raw`^(?:\(\?:)?${ATOM}(?:[+*]|\{\d+,\})\??(?=[^)])`);
const REPEATED_GROUP = /\((?:\?:|\?<\w+>)?((?:\\.|\[(?:\\.|[^\]\\])*\]|[^()\\[])*)\)(?:[+*]|\{\d+,\})/g;
const REPETITION = new RegExp(String.raw`${ATOM}(?:[+*]|\{\d+,\})`);

/** What of an expression may take long, as the end of a sentence. */
function riskOf(source: string, flags: string): string | undefined {
  if (!flags.includes('y') && BEGINS_WITHOUT_END.test(source) && !isBounded(source))
    return 'begins with a repetition without end, and can fail after it';
  for (const [, inner = ''] of source.matchAll(REPEATED_GROUP))
    if (inner.split('|').some((way) => REPETITION.test(way) && !startsApart(way)))
      return `repeats a group that repeats: ${inner}`;
  return undefined;
}

/** The whole expression is the repetition: it can't fail after it. */
const isBounded = (source: string): boolean => new RegExp(String.raw`^${ATOM}(?:[+*]|\{\d+,\})\??$`).test(source);

/** A way through a group that begins with a sign which the repetition in it can't hold is walked in one way only. */
function startsApart(way: string): boolean {
  const [, sign, rest = ''] = /^(\\?[^\\[\](){}|^$*+?\w]|\\[.\-/?])(.*)$/s.exec(way) ?? [];
  if (sign === undefined) return false;
  const bare = sign.replace('\\', '');
  return [...rest.matchAll(new RegExp(String.raw`(${ATOM})(?:[+*]|\{\d+,\})`, 'g'))].every(
    ([, atom = '']) => !new RegExp(`^${atom}$`, 'su').test(bare),
  );
}

test('the shapes are found, and what only looks like them is not', () => {
  for (const source of ['\\s*x', '[a-z]+:', '.*$', '(a+)+', '(?:x|[ab]*)*', '(a{2,})+b', '\\s+$'])
    assert.ok(riskOf(source, ''), source);
  for (const source of [
    '^\\s*x',
    'x\\s*',
    '\\s+',
    '[a-z]{1,9}:',
    '(?:[^"\\\\]|\\\\.)*',
    '(?:\\.\\d+)*',
    '(?:, [a-z]+)+',
  ])
    assert.equal(riskOf(source, ''), undefined, source);
  assert.equal(riskOf('\\s*x', 'y'), undefined, 'sticky');
});

test('no expression that reads text of others can take much longer than the text is long', () => {
  const found = new Map<string, string>();
  for (const file of FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: ROOT }))) {
    if (/\.(test|fixture)\.ts$|generated/.test(file)) continue;
    for (const [, source = '', flags = ''] of readFileSync(`${ROOT}/${file}`, 'utf8').matchAll(LITERAL)) {
      const risk = riskOf(source, flags);
      if (risk !== undefined) found.set(`/${source}/${flags}`, `${file} ${risk}`);
    }
  }
  const unknown = [...found].filter(([expression]) => HARMLESS[expression] === undefined);
  assert.deepEqual(unknown, []);
  for (const expression of Object.keys(HARMLESS)) assert.ok(found.has(expression), `${expression} is no longer there`);
});
