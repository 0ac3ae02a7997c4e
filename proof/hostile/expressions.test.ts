/**
 * Regular expressions with super-linear running time. Every literal in the sources that read untrusted text is
 * judged by scslre, which finds ambiguous repetitions and searches that start again at each character. An expression
 * that it reports and that is harmless is listed below with the reason.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { analyse } from 'scslre';
import typescript from 'typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['cli', 'contracts', 'harness', 'mock', 'reports', 'suites'];

const HARMLESS: Readonly<Record<string, string>> = {
  '/^(#{1,6})\\s+(.*?)\\s*#*$/': 'It reads the contract.',
  '/^\\s*(?:[-*+]|\\d+[.)])\\s+(.*)$/': 'It reads the contract.',
};

/** The kind of slowness that scslre reports: `Move poly`, `Self exp`. */
function risksOf(source: string, flags: string): string[] {
  const { reports } = analyse({ source, flags });
  return [...new Set(reports.map(({ type, exponential }) => `${type} ${exponential ? 'exponential' : 'polynomial'}`))];
}

interface Literal {
  readonly text: string;
  readonly line: number;
}

/** The regular expressions of a source. */
function literalsIn(file: string, code: string): Literal[] {
  const source = typescript.createSourceFile(file, code, typescript.ScriptTarget.Latest, true);
  const found: Literal[] = [];
  const visit = (node: import('typescript').Node): void => {
    if (typescript.isRegularExpressionLiteral(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push({ text: node.getText(), line: line + 1 });
    }
    typescript.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function partsOf(literal: string): readonly [source: string, flags: string] {
  const end = literal.lastIndexOf('/');
  return [literal.slice(1, end), literal.slice(end + 1)];
}

test('slow expressions are found, and similar fast ones are not', () => {
  for (const source of ['\\s*x', '.*$', '(a+)+$', '^\\s*a?\\s*$', '\\s+$', '(a{2,})+b'])
    assert.notDeepEqual(risksOf(source, ''), [], source);
  for (const source of ['^\\s*x', 'x\\s*', '\\s+', '[a-z]{1,9}:', '(?<!\\s)\\s+$', '^(?:, [a-z]+)+$'])
    assert.deepEqual(risksOf(source, ''), [], source);
  assert.deepEqual(risksOf('\\s*x', 'y'), [], 'sticky');
});

test('no expression that reads untrusted text has super-linear running time', () => {
  const risky = new Map<string, string>();
  let count = 0;
  for (const file of FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: ROOT }))) {
    if (/\.(test|fixture)\.ts$|generated/.test(file)) continue;
    for (const { text, line } of literalsIn(file, readFileSync(`${ROOT}/${file}`, 'utf8'))) {
      count += 1;
      const risks = risksOf(...partsOf(text));
      if (risks.length > 0) risky.set(text, `${file}:${line} ${risks.join(', ')}`);
    }
  }
  assert.ok(count > 500, `${count} expressions were read`);
  const unknown = [...risky].filter(([expression]) => HARMLESS[expression] === undefined);
  assert.deepEqual(unknown, []);
  for (const expression of Object.keys(HARMLESS)) assert.ok(risky.has(expression), `${expression} is no longer there`);
});
