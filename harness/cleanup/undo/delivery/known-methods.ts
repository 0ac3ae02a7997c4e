/**
 * What clean-up knows of the methods of a scope without reading each of them: what the check has read and deleted, and what one
 * list shows when clean-up begins.
 */
import { resourceOf } from '../../../../contracts/envelopes/index.ts';
import { isJsonObject } from '../../../../contracts/json/object.ts';
import type { ServiceRequest } from '../../../target/client/request.ts';
import type { Json } from '../../../target/interfaces/delivery.ts';
import type { LedgerEntry, MethodOwner } from '../../ledger.ts';
import { type UndoTools, unlessUnclear } from '../outcome.ts';
import { DeletedMethods } from './deleted-methods.ts';
import { firstMethods, methodsOf } from './index.ts';

type MethodEntry = Extract<LedgerEntry, { kind: 'delivery-method' }>;

const isMethod = (entry: LedgerEntry): entry is MethodEntry => entry.kind === 'delivery-method';

export class KnownMethods {
  /** The method that was last read under a handle. */
  readonly #lastRead = new Map<string, Json>();

  /** Methods that the check has deleted itself. */
  readonly #deleted = new DeletedMethods();

  /** Handles of those of them that the list does not contain any more. */
  readonly #unlisted = new Set<string>();

  /** The methods of an owner when clean-up began, where they were listed. */
  readonly #listed = new Map<MethodOwner, readonly Json[]>();

  /** Takes a call that is about to be sent. */
  sends(call: ServiceRequest): void {
    this.#deleted.sends(call);
  }

  /** Takes a call that was refused as it is. */
  refused(call: ServiceRequest): void {
    this.#deleted.refused(call);
  }

  /** Takes a call that was served. */
  served(call: ServiceRequest): void {
    this.#deleted.served(call);
  }

  /** Takes the methods in the body of a response, alone or in a list. */
  saw(json: unknown): void {
    const listed = isJsonObject(json) && Array.isArray(json.delivery_methods) ? json.delivery_methods : [];
    for (const method of [resourceOf(json, 'delivery_method'), ...listed]) {
      if (isJsonObject(method) && typeof method.handle === 'string') this.#lastRead.set(method.handle, method);
    }
  }

  /** The method that was last read under a handle. */
  lastRead(handle: string): Json | undefined {
    return this.#lastRead.get(handle);
  }

  /** The methods of an owner when clean-up began; undefined where they were not listed. */
  listed(owner: MethodOwner): readonly Json[] | undefined {
    return this.#listed.get(owner);
  }

  /** Whether the check has deleted this method, was refused a reading of it since, and the list does not contain it. */
  isGone(entry: LedgerEntry): boolean {
    return isMethod(entry) && entry.handle !== undefined && this.#unlisted.has(entry.handle);
  }

  /**
   * Lists the methods of each owner once, instead of reading them one by one. The list shows whose they are, which of the deleted ones
   * are gone, and whether there are any that the run knows by their reference only. What it leaves open is read alone.
   */
  async find(entries: readonly LedgerEntry[], tools: UndoTools): Promise<void> {
    this.#listed.clear();
    const methods = entries.filter(isMethod);
    await this.#findMissing(methods, tools);
    const unseen = methods.filter(
      ({ handle }) => handle !== undefined && !this.#lastRead.has(handle) && !this.#unlisted.has(handle),
    );
    for (const [owner, own] of Map.groupBy(unseen, (entry) => entry.owner)) {
      if (own.length > 1) await unlessUnclear(async () => this.saw(await firstMethods(owner, tools)));
    }
  }

  /** Lists the methods of owners whose entries have no handle, or one that was deleted and can't be read any more. */
  async #findMissing(methods: readonly MethodEntry[], tools: UndoTools): Promise<void> {
    const missing = methods.filter(({ handle }) => handle === undefined || this.#deleted.isUnreadable(handle));
    for (const [owner, own] of Map.groupBy(missing, (entry) => entry.owner)) {
      // A single one by its reference is searched for anyway.
      if (own.length === 1 && own[0]?.handle === undefined) continue;
      await unlessUnclear(async () => {
        const listed = await methodsOf(owner, tools);
        this.#listed.set(owner, listed);
        const handles = new Set(listed.map(({ handle }) => handle));
        for (const { handle } of own) if (handle !== undefined && !handles.has(handle)) this.#unlisted.add(handle);
      });
    }
  }
}
