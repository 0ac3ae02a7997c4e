/** What the undo functions of all interfaces share: sending calls, their outcome, who they act for. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordId } from '../../../contracts/json/record-ids.ts';
import { NoResponse } from '../../target/client/no-response.ts';
import type { ServiceRequest } from '../../target/client/request.ts';
import type { Client, ServiceResponse } from '../../target/client/types.ts';
import type { AppRegistration } from '../../target/driver/target-driver.ts';
import type { Json } from '../../target/interfaces/delivery.ts';
import { requestOf } from '../../target/network/wire.ts';
import type { Profile } from '../../target/profile/types.ts';
import { isServed } from '../../target/response/judge-response.ts';
import type { Secret } from '../../target/secrets/secret.ts';
import type { MethodOwner } from '../ledger.ts';
import type { AccountCalls } from './reseller/account-calls.ts';

export interface CleanupResult {
  /** `left`: nothing could be done; `reason` says why and what a person has to do. */
  readonly outcome: 'removed' | 'restored' | 'left';
  /** For people: `delivery method pm-1a2b-1`. */
  readonly object: string;
  readonly reason?: string;
  /** The target refused to create the object and shows none. */
  readonly isAbsent?: true;
}

export interface UndoRun {
  readonly run: string;
  /** The run's mark; a method without it is not touched. */
  readonly mark: string;
  /** Whether the target refused each call that would have created the object. */
  readonly wasRefused?: boolean;
  /** Leads the app of the profile to other addresses, through the driver; without it they can't be put back. */
  readonly registerApp?: (app: AppRegistration) => Promise<unknown>;
  /** A reseller session that is open already, which `send` renews: a login of our own could end it. */
  readonly token?: () => Promise<Secret>;
  /** Sends a call for the run, which judges each response that it gets; by default the client does, and each response is passed to `onResponse`. */
  readonly send?: (call: ServiceRequest) => Promise<ServiceResponse>;
  /** Receives each response where there is no `send`. */
  readonly onResponse?: (response: ServiceResponse, api: ServiceRequest['api']) => void;
  /** Waits; the real time by default. */
  readonly sleep?: (ms: number) => Promise<void>;
  /** The method that the run last read under a handle: one that it has just seen to be its own is not read again. */
  readonly lastRead?: (handle: string) => Readonly<Record<string, unknown>> | undefined;
  /** The methods of an owner as they were listed when clean-up began: one that this list does not contain is not searched for again. */
  readonly listed?: (owner: MethodOwner) => readonly Json[] | undefined;
  /** The response to a reading call of Reseller by its path, where the run has it and has sent nothing since that may have changed it. */
  readonly readingOf?: (path: string) => ServiceResponse | undefined;
  /** What the run has done to the account by its own calls, where it knows all of them. */
  readonly calls?: Pick<AccountCalls, 'hasSetBack' | 'passwords'>;
  /** Whether the last call about the subscription of a website stopped it, by what the target returned. */
  readonly hasStopped?: (website: RecordId) => boolean;
  /** Takes a session that is open with the old password; without it such a session is ended. */
  readonly keepSession?: (token: Secret) => void;
}

export interface UndoTools extends UndoRun {
  readonly client: Client;
  readonly profile: Profile;
  readonly send: (call: ServiceRequest) => Promise<ServiceResponse>;
  readonly sleep: (ms: number) => Promise<void>;
}

/** What undoing an entry needs. `send` throws `CannotUndo` when the profile lacks the address of the interface. */
export function undoTools(client: Client, profile: Profile, run: UndoRun): UndoTools {
  return {
    ...run,
    client,
    profile,
    sleep: run.sleep ?? sleep,
    send: async (call) => {
      const base = profile[call.api];
      if (base === undefined) throw new CannotUndo(`the profile has no "${call.api}": add the base address`);
      if (run.send !== undefined) return run.send(call);
      const response = await client.send(requestOf(call, base), { role: 'cleanup' });
      run.onResponse?.(response, call.api);
      return response;
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

/** The response when it was served, else the reason why nothing could be undone. */
export async function served(response: Promise<ServiceResponse>, what: string): Promise<ServiceResponse> {
  const got = await response;
  if (!isServed(got)) throw new CannotUndo(`the target refused to ${what} (status ${got.status})`);
  return got;
}

/** A status that says that the request was refused as it is; 408 and 429 only ask to try again. */
export const isClientError = (status: number): boolean => status >= 400 && status < 500 && ![408, 429].includes(status);

/** Does what only saves calls: where the target does not allow it, they are sent. */
export async function unlessUnclear(inspect: () => Promise<void>): Promise<void> {
  try {
    await inspect();
  } catch (error) {
    if (!(error instanceof NoResponse || error instanceof CannotUndo)) throw error;
  }
}
