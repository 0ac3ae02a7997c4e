/** Why the harness can't listen where the profile says, in words: a port in use and a foreign address are no errors of ours. */
import type { Profile } from '../profile/types.ts';

const WHY: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there: stop it, or write another port into "listen.port" (0 takes any free one)',
  EADDRNOTAVAIL: 'this machine does not have that address: correct "listen.host" in the profile',
  ENOTFOUND: 'the name is not known: correct "listen.host" in the profile',
  EAI_AGAIN: 'the name is not known: correct "listen.host" in the profile',
  EINVAL: 'this machine does not have that address: correct "listen.host" in the profile',
  EACCES: 'this user may not use that port: write one above 1023 into "listen.port"',
};

/** A sentence without its stop; undefined for an error that the profile does not explain. */
export function whyNotListening(error: unknown, { host, port }: Profile['listen']): string | undefined {
  const why = WHY[(error as NodeJS.ErrnoException).code ?? ''];
  return why === undefined ? undefined : `the harness can't listen on ${host}:${port}: ${why}`;
}
