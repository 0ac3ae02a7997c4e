/**
 * A mistake in how Proofmark was called or configured: a flag, a profile, a file. Nothing was run; the exit code is 2.
 * The message is one sentence for the person at the terminal: what is wrong, where, and what to do about it.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly exitCode = 2;
}
