/** The code blocks of the documents, with the commands in them. */
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

export interface Block {
  readonly document: string;
  /** The number of its first line, from 1. */
  readonly line: number;
  /** The text after the three backticks. */
  readonly language: string;
  readonly text: string;
}

/** The documents for readers: everything except pages that are generated from comments. */
export function documents(): string[] {
  return globSync(['*.md', '{docs,examples,mock,proof,bench}/**/*.md'], { cwd: ROOT })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => !/^docs\/reference\/|node_modules\//.test(file))
    .sort();
}

export const blocksOf = (document: string): Block[] => blocksIn(document, readFileSync(join(ROOT, document), 'utf8'));

/** The blocks between lines of three backticks. A block that is not closed is an error in the document. */
export function blocksIn(document: string, markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: { line: number; language: string; margin: string; lines: string[] } | undefined;
  for (const [at, line] of markdown.split('\n').entries()) {
    const fence = /^(\s*)```(.*)$/.exec(line);
    if (fence === null) open?.lines.push(line.startsWith(open.margin) ? line.slice(open.margin.length) : line);
    else if (open === undefined)
      open = { line: at + 2, language: (fence[2] ?? '').trim(), margin: fence[1] ?? '', lines: [] };
    else {
      blocks.push({ document, line: open.line, language: open.language, text: open.lines.join('\n') });
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`${document}:${open.line}: the block is not closed.`);
  return blocks;
}

export interface Command {
  /** Assignments before the command. */
  readonly env: ReadonlyMap<string, string>;
  readonly words: readonly string[];
  readonly text: string;
}

/** The commands of a shell text, without comments; `a && b` and `a | b` are two. */
export function commandsIn(text: string): Command[] {
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .flatMap((line) => pieces(line))
    .filter((words) => words.length > 0)
    .map((words) => {
      const first = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
      const assigned = words.slice(0, first < 0 ? words.length : first);
      const env = new Map(
        assigned.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
      );
      return { env, words: first < 0 ? [] : words.slice(first), text: words.join(' ') };
    });
}

/** The words of each command of a line, without quotes. */
function pieces(line: string): string[][] {
  const commands: string[][] = [[]];
  for (const [, double, single, plain] of line.matchAll(/"([^"]*)"|'([^']*)'|((?:[^\s"'$]|\$\{\{[^}]*\}\}|\$)+)/g)) {
    if (plain === '#' || (plain?.startsWith('#') ?? false)) break;
    if (plain === '&&' || plain === '|' || plain === '&') commands.push([]);
    else commands.at(-1)?.push(double ?? single ?? plain ?? '');
  }
  return commands;
}
