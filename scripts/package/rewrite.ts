/** What the compiler leaves to us: addresses of modules that it does not take for imports. */
import { posix } from 'node:path';

/** Declarations keep `.ts` in their imports; other compilers look for `.js`. */
export function withJsImports(declarations: string): string {
  return declarations.replace(/((?:\bfrom|\bimport\()\s*)(['"])(\.{1,2}\/[^'"]*)\.ts\2/g, '$1$2$3.js$2');
}

/** `new URL('./worker.ts', import.meta.url)` names a module that is started in another process. */
export function urlsOfModules(code: string): string {
  return code.replace(/(new URL\(\s*(['"])\.{1,2}\/[^'"]*)\.ts\2(?=\s*,\s*import\.meta\.url)/g, '$1.js$2');
}

const FROM = /(\bfrom\s*)(['"])(\.{1,2}\/[^'"]+)\2/g;

/**
 * The examples for a user who has the package and not the checkout, by path: the contract's functions come from the package, and a
 * profile names the compiled driver. A file that
 * uses other parts of the checkout, or such a file, is a tool of this repository and left out. `folder` is the one with the examples.
 */
export function examplesForPackage(folder: string, files: ReadonlyMap<string, string>): Map<string, string> {
  const target = (file: string, to: string): string => posix.join(posix.dirname(file), to);
  const packed = new Map(files);
  const isTool = ([file, text]: readonly [string, string]): boolean =>
    file.endsWith('.ts') &&
    [...text.matchAll(FROM)].some(([, , , to = '']) => {
      const at = target(file, to);
      return at.startsWith(`${folder}/`) ? !packed.has(at) : !at.startsWith('contracts/');
    });
  for (let tools = [...packed].filter(isTool); tools.length > 0; tools = [...packed].filter(isTool)) {
    for (const [file] of tools) packed.delete(file);
  }
  for (const [file, text] of packed) {
    if (file.endsWith('.json')) packed.set(file, text.replace(/("\.\.\/[^"]+)\.ts"/g, '$1.js"'));
    if (!file.endsWith('.ts')) continue;
    packed.set(
      file,
      text.replace(FROM, (all, from: string, quote: string, to: string) =>
        target(file, to).startsWith('contracts/') ? `${from}${quote}proofmark/contracts${quote}` : all,
      ),
    );
  }
  return packed;
}
