/** `process.exit` in a user's module: it would end a command with an exit code of its own, as if that were the verdict. */
import { pathToFileURL } from 'node:url';

const guarded = new Set<string>();

/** From now on a call from this module throws. All other calls end the process as before. */
export function refuseExitOf(file: string): void {
  if (guarded.has(file)) return;
  guarded.add(file);
  const { href } = pathToFileURL(file);
  const exit = process.exit;
  process.exit = (...given) => {
    const { stack = '' } = new Error();
    if (stack.includes(href) || stack.includes(file)) throw new Error(`it called process.exit(${given.join()})`);
    // Without an argument it keeps `process.exitCode`.
    return exit.apply(process, given);
  };
}
