/** For programs of developers, which have no command line framework around them: a mistake of the caller is one sentence, never a stack. */
import { UsageError } from './usage-error.ts';

/** From now on a `UsageError`, or an option that `parseArgs` does not know, ends this process with its sentence and exit code 2. */
export function reportUsageErrors(program: string): void {
  process.on('uncaughtException', (error: Error & { code?: string }) => {
    const isUsage = error instanceof UsageError || error.code?.startsWith('ERR_PARSE_ARGS') === true;
    console.error(isUsage ? `${program}: ${error.message}` : error);
    process.exit(isUsage ? 2 : 1);
  });
}
