/** A hostile target: it does one thing wrong, and states what `proofmark run` has to report about it. */
import type { Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import type { Attribution, Verdict } from '../../contracts/run/verdicts.ts';
import type { RawServer, ReceivedRequest } from './raw-server.ts';
import type { ReferenceResponse, ReferenceService } from './reference-service.ts';

/** The expected result of a check. */
export interface Expected {
  readonly verdict: Verdict;
  readonly attribution?: Attribution;
  /** A pattern of its reason. */
  readonly reason?: RegExp;
}

/** What a hostile target can use to build its response. */
export interface TargetContext {
  /** The response of the reference service, which keeps state. */
  respondCorrectly(asked: ReceivedRequest): Promise<ReferenceResponse>;
  readonly service: ReferenceService;
  /** Its own server, and the server of a stranger, which no request may reach. */
  readonly server: RawServer;
  readonly stranger: RawServer;
}

export interface HostileTarget {
  readonly id: string;
  /** What it does: the end of the title of its test. */
  readonly does: string;
  /** Answers a request. With `only`, just those requests; the reference service answers the others. */
  readonly answers: (socket: Socket, asked: ReceivedRequest, context: TargetContext) => void | Promise<void>;
  readonly only?: (asked: ReceivedRequest) => boolean;
  /** By the id of the check. */
  readonly expects: Readonly<Record<string, Expected>>;
  /** Replaces top-level keys of the profile. */
  readonly profile?: () => Record<string, unknown>;
  /** `limits.timeoutMs`: for targets that use up the whole timeout. */
  readonly timeoutMs?: number;
  readonly host?: string;
  readonly tls?: () => Promise<TlsOptions>;
  /** The scheme of the profile's address; `https` by default for targets with TLS. */
  readonly scheme?: 'http' | 'https';
  /** Files beside the profile, by name. */
  readonly files?: () => Readonly<Record<string, string>>;
  /** Called with the id of each check before it runs, and without an id before preflight. */
  readonly before?: (id: string | undefined, context: TargetContext) => Promise<void> | undefined;
  /** How many objects the run has to report as left behind; none by default. */
  readonly orphans?: number | 'any';
  /** Throws if the servers received something wrong. */
  readonly afterwards?: (context: TargetContext) => void;
  /** Runs only with PROOFMARK_SOAK=1, because it takes much time or memory. */
  readonly isLarge?: boolean;
}

export const PASS: Expected = { verdict: 'pass' };

/** An undecided check, and who has to act. */
export const undecided = (attribution: Attribution, reason: RegExp): Expected => ({
  verdict: 'inconclusive',
  attribution,
  reason,
});

/** A violation by the target. */
export const failed = (reason: RegExp): Expected => ({ verdict: 'fail', attribution: 'target', reason });

/** A reading check that judges the form of responses, and a writing check that judges whether a method was stored. */
export const READING = 'envelope.delivery.reading.body-is-object';
export const WRITING = 'delivery.method.create-stores';
export const LISTING = 'delivery.method.list-contains-own';
export const WALK_CHECK = 'delivery.lists.methods.walk-ends';
