/** What the undo functions of all interfaces share: sending calls, their outcome, who they act for. */

import type { ServiceRequest } from '../../target/client/request.ts';
import type { Client, ServiceResponse } from '../../target/client/types.ts';
import type { AppRegistration } from '../../target/driver/target-driver.ts';
import { requestOf } from '../../target/network/wire.ts';
import type { Profile } from '../../target/profile/types.ts';
import { isServed } from '../../target/response/judge-response.ts';
import type { Secret } from '../../target/secrets/secret.ts';

export interface CleanupResult {
  /** `left`: nothing could be done; `reason` says why and what a person has to do. */
  readonly outcome: 'removed' | 'restored' | 'left';
  /** For people: `delivery method pm-1a2b-1`. */
  readonly object: string;
  readonly reason?: string;
}

export interface UndoRun {
  readonly run: string;
  /** The run's mark; a method without it is not touched. */
  readonly mark: string;
  /** Leads the app of the profile to other addresses, through the driver; without it they can't be put back. */
  readonly registerApp?: (app: AppRegistration) => Promise<unknown>;
  /** A reseller session that is open already: a login of our own could end it. */
  readonly token?: () => Promise<Secret>;
  /** The method that the run last read under a handle: one that it has just seen to be its own is not read again. */
  readonly lastRead?: (handle: string) => Readonly<Record<string, unknown>> | undefined;
}

export interface UndoTools extends UndoRun {
  readonly client: Client;
  readonly profile: Profile;
  send(call: ServiceRequest): Promise<ServiceResponse>;
}

export function undoTools(client: Client, profile: Profile, run: UndoRun): UndoTools {
  return {
    ...run,
    client,
    profile,
    send: (call) => {
      const base = profile[call.api];
      if (base === undefined) throw new CannotUndo(`the profile has no "${call.api}": add the base address`);
      return client.send(requestOf(call, base), { role: 'cleanup' });
    },
  };
}

/** Something that is needed for undoing is not there; the message is the end of a sentence. */
export class CannotUndo extends Error {
  override readonly name = 'CannotUndo';
}

/** The value of the profile, or the reason why nothing can be undone. */
export function needed<T>(value: T | undefined, key: string): T {
  if (value === undefined) throw new CannotUndo(`the profile has no "${key}": add it and run proofmark sweep again`);
  return value;
}

/** The answer when it was served, else the reason why nothing could be undone. */
export async function served(answer: Promise<ServiceResponse>, what: string): Promise<ServiceResponse> {
  const got = await answer;
  if (!isServed(got)) throw new CannotUndo(`the target refused to ${what} (status ${got.status})`);
  return got;
}
