/** The password that the account has while a check of passwords runs. */
import type { Context } from '../../../harness/context.ts';
import type { Secret } from '../../../harness/target/secret.ts';
import { temporaryPassword } from '../../../harness/undo.ts';
import { account } from './asking.ts';

/** Derived from the old one and the run, so that it need not be written down; known to the redaction. */
export function temporary(context: Context): Secret {
  const { run } = context.resources.run;
  return context.secret('TEMPORARY_PASSWORD', temporaryPassword(account(context).password, run));
}
