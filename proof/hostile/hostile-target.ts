/** What an animal of the zoo is: a target that does one thing wrong, and what `proofmark run` has to say of it. */
import type { Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import type { Attribution, Verdict } from '../../contracts/run/verdicts.ts';
import type { RawServer, RequestSample } from './raw-server.ts';
import type { Answered, Honest } from './reference-service.ts';

/** What a check has to come to. */
export interface Expected {
  readonly verdict: Verdict;
  readonly attribution?: Attribution;
  /** What its reason says. */
  readonly reason?: RegExp;
}

/** What an animal can use while it answers. */
export interface Cage {
  /** The answer of a service that keeps the contract, with its state. */
  honest(asked: RequestSample): Promise<Answered>;
  readonly service: Honest;
  /** Its own server, and a stranger's, which nothing of ours may ever reach. */
  readonly server: RawServer;
  readonly elsewhere: RawServer;
}

export interface Animal {
  readonly id: string;
  /** What it does, for the reader of the table. */
  readonly does: string;
  /** Answers a request; all are the animal's unless `only` says which. */
  readonly answers: (socket: Socket, asked: RequestSample, cage: Cage) => void | Promise<void>;
  readonly only?: (asked: RequestSample) => boolean;
  /** By the id of the check. */
  readonly expects: Readonly<Record<string, Expected>>;
  /** Laid over the profile, at its first level. */
  readonly profile?: () => Record<string, unknown>;
  /** `limits.timeoutMs`: for animals that are waited for in full. */
  readonly timeoutMs?: number;
  readonly host?: string;
  readonly tls?: () => Promise<TlsOptions>;
  /** The scheme of the profile's address; `https` for animals with TLS by default. */
  readonly scheme?: 'http' | 'https';
  /** Files beside the profile, by name. */
  readonly files?: () => Readonly<Record<string, string>>;
  /** Called before each check with its id, and without one before the first look at the target. */
  readonly before?: (id: string | undefined, cage: Cage) => Promise<void> | undefined;
  /** What the run has to own up to having left behind; nothing by default. */
  readonly orphans?: number | 'any';
  /** What must have happened at the servers, beside the verdicts. */
  readonly afterwards?: (cage: Cage) => void;
  /** Only with PROOFMARK_SOAK=1: takes long or much. */
  readonly isLarge?: boolean;
}

export const PASS: Expected = { verdict: 'pass' };

/** Not decided, and who has to act. */
export const undecided = (attribution: Attribution, reason: RegExp): Expected => ({
  verdict: 'inconclusive',
  attribution,
  reason,
});

/** The target's fault. */
export const failed = (reason: RegExp): Expected => ({ verdict: 'fail', attribution: 'target', reason });

/** A reading check that looks at the form of answers, and a writing one that looks at what became of a method. */
export const READING = 'envelope.delivery.reading.body-is-object';
export const WRITING = 'delivery.method.create-stores';
export const LISTING = 'delivery.method.list-contains-own';
export const WALKING = 'delivery.lists.methods.walk-ends';
