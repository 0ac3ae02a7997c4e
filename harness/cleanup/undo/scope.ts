/**
 * Putting things back: ledger entries of one scope, with the way to undo each. A check is a scope; so is the whole process,
 * for what its checks share (an order's delivery method, an installation).
 */
import type { RecordId } from '../../../contracts/json/record-ids.ts';
import type { Breach } from '../../../contracts/run/events.ts';
import type { Send } from '../../check/expect.ts';
import { eachAtOnce } from '../../process/at-once.ts';
import { markOf } from '../../resources/run-info.ts';
import type { SharedSession } from '../../resources/shared-session.ts';
import { NoResponse } from '../../target/client/no-response.ts';
import type { ServiceRequest } from '../../target/client/request.ts';
import type { Client, ServiceResponse } from '../../target/client/types.ts';
import type { Profile } from '../../target/profile/types.ts';
import type { Secret } from '../../target/secrets/secret.ts';
import type { Created, Ledger, LedgerEntry, MethodOwner } from '../ledger.ts';
import type { UnaccountedMethods } from '../unaccounted-methods.ts';
import { carriesMark } from './delivery/index.ts';
import { KnownMethods } from './delivery/known-methods.ts';
import { OpenUploads } from './delivery/open-uploads.ts';
import { type CleanupResult, objectOf, undo } from './index.ts';
import { undoOrder } from './order.ts';
import { isClientError, undoTools, unlessUnclear } from './outcome.ts';
import { AccountCalls } from './reseller/account-calls.ts';
import { DomainCalls } from './reseller/domain-calls.ts';
import { WebsiteSwitches } from './reseller/switches.ts';

/** A ledger entry that is undone when its scope ends. */
export interface TrackedEntry {
  /** Records what became known about the object (its handle, its id). */
  created(known: Created): void;
  /** It did not come to it: there is nothing to undo. */
  cancel(): void;
}

/** One line of the report about what a run did to the target. */
export interface LedgerNote {
  readonly what: 'created' | 'removed' | 'changed' | 'restored' | 'placed' | 'orphan';
  readonly object: string;
  readonly reason?: string;
}

/** Puts an entry back by other means than calls (through the driver, say). */
export type RestoreEntry = (known: LedgerEntry) => Promise<CleanupResult>;

interface Step {
  /** What it changes, for people. */
  readonly object: string;
  /** Answers what became of it; nothing when there was nothing to undo. Throws when the target is not there. */
  readonly undoIt: () => Promise<LedgerNote | undefined>;
  /** The entry as it is known now; undefined when there is nothing to undo. */
  readonly entry: () => LedgerEntry | undefined;
  readonly isSecondTry?: true;
  /** What a call that creates the object carries. */
  readonly reference?: string;
  /** How many calls that would create the object were sent, how many of them the target refused, and the exchange of the last of these. */
  readonly creates: { sent: number; refused: number; exchange?: number };
}

/** What undoing needs of the resources of a run. */
export interface CleanupResources {
  readonly unaccountedMethods: UnaccountedMethods;
  readonly ledger: Ledger;
  readonly client: Client;
  readonly profile: Profile;
  readonly run: { readonly run: string };
  /** The scope of the process, which tries once more at its end. */
  readonly kept: CleanupScope;
  readonly session: Pick<SharedSession, 'token' | 'forget' | 'take' | 'passwordLost'>;
  readingOf(path: string): ServiceResponse | undefined;
  sleep(ms: number): Promise<void>;
}

export class CleanupScope {
  readonly notes: LedgerNote[] = [];
  /** The refused creates whose object exists nevertheless (spec: Errors). */
  readonly madeThoughRefused: Breach[] = [];
  readonly #resources: CleanupResources;
  readonly #send: Send;
  readonly #asSent: (reference: string) => string;
  readonly #steps: Step[] = [];
  /** What was last done to the status and the subscription of websites. */
  readonly #switches = new WebsiteSwitches();

  readonly #uploads = new OpenUploads();

  readonly #methods = new KnownMethods();

  /** References of methods that a call has made. */
  readonly #made = new Set<string>();

  /** What was done to the password and the settings. */
  readonly #calls = new AccountCalls();

  readonly #domains = new DomainCalls();

  /** That the target gave no response when something was undone. */
  #gone: NoResponse | undefined;

  /** `asSent` is the text that goes out for a reference of the check: what the ledger has to find after a crash. */
  constructor(
    resources: CleanupResources,
    send: Send,
    asSent: (reference: string) => string = (reference) => reference,
  ) {
    this.#resources = resources;
    this.#send = send;
    this.#asSent = asSent;
  }

  /**
   * Writes the entry down before it happens and has it undone by `undoAll`, by `putBack` where one is given. Throws `Inconclusive` for a
   * method where too many may be left already.
   */
  track(entry: LedgerEntry, putBack?: RestoreEntry): TrackedEntry {
    const { ledger, unaccountedMethods } = this.#resources;
    if (entry.kind === 'delivery-method' && entry.handle === undefined) unaccountedMethods.givenFew();
    const creates = CREATIONS.has(entry.kind);
    const written = 'reference' in entry ? { ...entry, reference: this.#asSent(entry.reference) } : entry;
    const id = creates ? ledger.willCreate(written as never) : ledger.willChange(written as never);
    let known = entry;
    let isOpen = true;
    const note: LedgerNote = { what: creates ? 'created' : 'changed', object: nameOf(entry) };
    const attempts: Step['creates'] = { sent: 0, refused: 0 };
    this.notes.push(note);
    const forget = (): void => {
      isOpen = false;
      ledger.removed(id);
      this.notes.splice(this.notes.indexOf(note), 1);
    };
    const undoIt = async (): Promise<LedgerNote | undefined> => {
      if (!isOpen) return undefined;
      const isBack = putBack === undefined && this.#isBack(known);
      const wasRefused = attempts.sent > 0 && attempts.sent === attempts.refused;
      const { outcome, object, reason, isAbsent }: CleanupResult = isBack
        ? { outcome: 'restored', object: objectOf(known) }
        : this.#methods.isGone(known) || this.#domains.isGone(known)
          ? { outcome: 'removed', object: objectOf(known) }
          : await (putBack === undefined ? this.#undoEach(known, wasRefused, attempts) : putBack(known));
      // What the target refused to create, and does not show, was never made.
      if (wasRefused && isAbsent === true) return void forget();
      if (wasRefused && outcome === 'removed') this.#wasMade(known, attempts);
      if (outcome === 'left' && this.#isUnaccounted(known)) unaccountedMethods.left();
      if (outcome === 'left') return { what: 'orphan', object, ...(reason === undefined ? {} : { reason }) };
      if (outcome === 'removed') ledger.removed(id);
      else ledger.restored(id);
      return { what: outcome, object };
    };
    this.#steps.push({
      object: objectOf(entry),
      undoIt,
      entry: () => (isOpen ? known : undefined),
      ...('reference' in written ? { reference: written.reference } : {}),
      creates: attempts,
    });
    return {
      created: (what) => {
        if (what.handle !== undefined) unaccountedMethods.found();
        ledger.created(id, { ...what, ...(what.given && { given: what.given.map(this.#asSent) }) });
        known = { ...known, ...what } as LedgerEntry;
      },
      cancel: () => {
        if (isOpen) forget();
      },
    };
  }

  /** Whether an entry is a method of which nothing but its reference is known, by which a list would show it. */
  #isUnaccounted(entry: LedgerEntry): boolean {
    if (entry.kind !== 'delivery-method' || entry.handle !== undefined) return false;
    return carriesMark(this.#asSent(entry.reference), markOf(this.#resources.run.run));
  }

  /** Notes that a method which was known only by its reference was found, and every call that could have made it refused. */
  #wasMade(entry: LedgerEntry, { exchange }: Step['creates']): void {
    if (entry.kind !== 'delivery-method' || entry.handle !== undefined || exchange === undefined) return;
    // Of two methods under one reference the second may be refused.
    if (this.#made.has(this.#asSent(entry.reference))) return;
    this.madeThoughRefused.push({
      clause: REFUSED_CHANGES_NOTHING,
      exchange,
      reason: 'a create was refused, and its method was found by its reference when the check cleaned up',
      expected: 'no method with this reference',
      actual: entry.reference,
    });
  }

  #isBack(entry: LedgerEntry): boolean {
    if (entry.kind === 'password') return this.#calls.hasPasswordBack(this.#resources.profile.reseller?.password);
    return this.#switches.isBack(entry);
  }

  /** Takes a call that is about to be sent: until it is served its effect is unknown. */
  sends(call: ServiceRequest, role: string): void {
    this.#methods.sends(call);
    if (call.api === 'api' && role !== 'cleanup') {
      this.#switches.sends(call.path);
      this.#calls.sends(call);
      this.#domains.sends(call);
    }
    this.createSent(call);
  }

  /** Counts a call that creates what this scope tracks: what the process keeps is created by the calls of a check. */
  createSent(call: ServiceRequest): void {
    for (const { creates } of this.#createdBy(call)) creates.sent += 1;
  }

  /** Takes a call that was not served, with its response. */
  refused(call: ServiceRequest, { status, exchange }: Pick<ServiceResponse, 'status' | 'exchange'>): void {
    if (!isClientError(status)) return;
    this.#methods.refused(call);
    if (call.api === 'api') {
      this.#calls.refused(call);
      this.#switches.refused(call.path);
    }
    this.createRefused(call, { status, exchange });
  }

  /** Counts such a call that was refused: what every call was refused to create may not be there. */
  createRefused(call: ServiceRequest, { status, exchange }: Pick<ServiceResponse, 'status' | 'exchange'>): void {
    if (!isClientError(status)) return;
    for (const { creates } of this.#createdBy(call)) {
      creates.refused += 1;
      creates.exchange = exchange;
    }
  }

  /** The steps whose object a call would create: it carries their reference. */
  #createdBy({ api, method, path, body }: ServiceRequest): Step[] {
    if (api !== 'v1' || method !== 'POST' || body === undefined || path.includes('pickup_point')) return [];
    const open = this.#steps.filter(({ reference }) => reference !== undefined);
    if (open.length === 0) return [];
    const text = 'raw' in body ? Buffer.from(body.raw).toString('latin1') : JSON.stringify(body);
    return open.filter(({ reference = '' }) => text.includes(JSON.stringify(reference).slice(1, -1)));
  }

  /** Takes a call that was served, with its response. */
  served(call: ServiceRequest, { json }: ServiceResponse): void {
    this.#methods.served(call);
    this.#uploads.served(call);
    for (const { reference = '' } of this.#createdBy(call)) this.#made.add(reference);
    if (call.api !== 'api') return;
    this.#switches.served(call.path, json);
    this.#calls.served(call, json);
    this.#domains.served(call, json);
  }

  /** Takes the methods that the target shows, alone or in a list. */
  saw(json: unknown): void {
    this.#methods.saw(json);
  }

  /**
   * Undoes everything, in the order of `undoOrder`. Never throws: what is left is an orphan. What could not be undone because the target
   * gave no response is tried once more when the process ends: by then it may be back.
   */
  async undoAll(): Promise<void> {
    await this.#finishUploads();
    await this.#findMethods();
    const steps = undoOrder(this.#steps.splice(0), (step) => step.entry());
    while (steps.length > 0) {
      const some = steps.splice(0, this.#inAnyOrder(steps));
      await eachAtOnce(some, (step) => this.#undoStep(step));
    }
  }

  async #findMethods(): Promise<void> {
    const { client, profile, run } = this.#resources;
    // As the check reads: with its own values in place of those that were sent for them.
    const send = (call: ServiceRequest) => this.#send(call, 'cleanup');
    const tools = undoTools(client, profile, { run: run.run, mark: markOf(run.run), send });
    const entries = this.#steps.flatMap((step) => step.entry() ?? []);
    await this.#methods.find(entries, tools);
  }

  /** Finishes uploads that were left open. What the target refuses of that stays: their methods are deleted in any case. */
  async #finishUploads(): Promise<void> {
    for (const call of this.#uploads.finals())
      await unlessUnclear(async () => void (await this.#send(call, 'cleanup')));
  }

  /**
   * How many of the first steps may be taken in any order: at the end of the process, methods that are known by their handles. The
   * calls of a check are sent one after another, so that their order is known to those who judge them.
   */
  #inAnyOrder(steps: readonly Step[]): number {
    if (this.#resources.kept !== this) return 1;
    const other = steps.findIndex((step) => {
      const entry = step.entry();
      return entry?.kind !== 'delivery-method' || entry.handle === undefined;
    });
    return Math.max(1, other < 0 ? steps.length : other);
  }

  async #undoStep(step: Step): Promise<void> {
    const { kept } = this.#resources;
    try {
      // A target that is still gone is not awaited again for each object.
      if (step.isSecondTry === true && this.#gone !== undefined) throw this.#gone;
      const note = await step.undoIt();
      if (note !== undefined) this.notes.push(note);
    } catch (error) {
      if (error instanceof NoResponse && kept !== this) {
        kept.#steps.push({ ...step, isSecondTry: true });
        return;
      }
      if (error instanceof NoResponse) this.#gone = error;
      this.notes.push({ what: 'orphan', object: step.object, reason: (error as Error).message });
    }
  }

  /**
   * Deletes methods of this scope before its end, for a service that takes only so many. Returns how many of them there were. One that
   * the target does not delete now is tried again with the rest.
   */
  async deleteMethods(handles: ReadonlySet<string>): Promise<number> {
    const isMethod = (step: Step): boolean => {
      const entry = step.entry();
      return entry?.kind === 'delivery-method' && entry.handle !== undefined && handles.has(entry.handle);
    };
    const methods = this.#steps.filter(isMethod);
    for (const step of methods.toReversed()) {
      // What keeps it from being deleted is reported at the end, if it still does then.
      const note = await step.undoIt().catch(() => undefined);
      if (note === undefined || note.what === 'orphan') continue;
      this.notes.push(note);
      this.#steps.splice(this.#steps.indexOf(step), 1);
    }
    return methods.length;
  }

  /** Undoes an entry; of a method that more than one call may have made also what another one of them has left. */
  async #undoEach(known: LedgerEntry, wasRefused: boolean, { sent, refused }: Step['creates']): Promise<CleanupResult> {
    const done = await this.#undo(known, wasRefused);
    const mayHaveTwin = known.kind === 'delivery-method' && known.handle !== undefined && sent - refused > 1;
    if (!mayHaveTwin || done.outcome !== 'removed') return done;
    const { handle: _, ...byReference } = known;
    return carriesMark(known.reference, markOf(this.#resources.run.run)) ? this.#undo(byReference, false) : done;
  }

  async #undo(known: LedgerEntry, wasRefused: boolean): Promise<CleanupResult> {
    const { client, profile, run } = this.#resources;
    // With the session that is open: a login of its own could end it. A check may have ended it, though: then a new one.
    const token = () => this.#resources.session.token(this.#send);
    const lastRead = (handle: string) => this.#methods.lastRead(handle);
    const listed = (owner: MethodOwner) => this.#methods.listed(owner);
    const send = (call: ServiceRequest) => this.#send(call, 'cleanup');
    const sleep = (ms: number) => this.#resources.sleep(ms);
    const readingOf = (path: string) => this.#resources.readingOf(path);
    const mark = markOf(run.run);
    let open: Secret | undefined;
    const keepSession = (opened: Secret): void => {
      open = opened;
    };
    const hasStopped = (website: RecordId): boolean => this.#switches.hasStopped(website);
    const ofAccount = { calls: this.#calls, hasStopped, keepSession };
    const tools = { run: run.run, mark, token, send, sleep, lastRead, listed, readingOf, wasRefused, ...ofAccount };
    const put = () => undo(known, client, profile, tools).catch((error: unknown) => this.#losesPassword(known, error));
    let done = await put();
    if (done.outcome === 'left' && OF_RESELLER.has(known.kind)) {
      this.#resources.session.forget();
      done = await put();
    }
    if (known.kind === 'password') {
      this.#resources.session.forget();
      this.#resources.session.passwordLost = done.outcome === 'left' ? (done.reason ?? 'it was changed') : undefined;
      // No call was sent with it yet.
      if (open !== undefined && done.outcome !== 'left') this.#resources.session.take(open.reveal());
    }
    return done;
  }

  /**
   * A service may respond to a second change of the password by requesting a pause, which is not a refusal. The account then still has a
   * password of the run, and later checks must know that it is not the old one.
   */
  #losesPassword(known: LedgerEntry, error: unknown): never {
    const { profile, run, session } = this.#resources;
    if (
      known.kind === 'password' &&
      error instanceof NoResponse &&
      this.#calls.hasSetOther(profile.reseller?.password)
    ) {
      session.forget();
      session.passwordLost = `the old password could not be restored (${error.message.replace(/\.$/, '')}). The account still has the temporary password of run ${run.run}: run proofmark sweep ${run.run}`;
    }
    throw error;
  }
}

const REFUSED_CHANGES_NOTHING = 'envelope.delivery.refusal-changes-nothing';

const CREATIONS: ReadonlySet<LedgerEntry['kind']> = new Set(['delivery-method', 'domain', 'installation']);

/** Entries that are undone within a session of the reseller. */
const OF_RESELLER: ReadonlySet<LedgerEntry['kind']> = new Set([
  'reseller-settings',
  'website-status',
  'website-premium',
  'domain',
]);

const nameOf = (entry: LedgerEntry): string =>
  entry.kind === 'delivery-method' ? `delivery method ${entry.reference}` : entry.kind.replaceAll('-', ' ');
