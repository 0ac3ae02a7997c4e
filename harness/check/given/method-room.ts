/** Room for the delivery methods that a check creates, where an owner can have only few of them. */
import type { CleanupScope } from '../../cleanup/undo/scope.ts';
import type { Operations } from '../../plain/operations.ts';
import { NoResponse } from '../../target/client/no-response.ts';
import type { ServiceResponse } from '../../target/client/types.ts';
import { GATEWAY_STATUSES } from '../../target/response/gateway.ts';
import { isServed } from '../../target/response/judge-response.ts';

export interface RoomOptions {
  /** Deletes methods of the check. */
  readonly undoing: Pick<CleanupScope, 'deleteMethods'>;
  /** Knows, and learns, whether the target lets an owner have only few methods. */
  readonly operations: Pick<Operations, 'takesFewMethods'>;
  /** Deletes methods that this check does not use; returns whether there were any. */
  readonly deleteOthers: (() => Promise<boolean>) | undefined;
}

/** A create that a gateway answered may have been carried out, so it does not count as refused. */
const wasRefused = (response: ServiceResponse): boolean =>
  !isServed(response) && !GATEWAY_STATUSES.has(response.status);

export class MethodRoom {
  readonly #undoing: RoomOptions['undoing'];
  readonly #operations: RoomOptions['operations'];
  readonly #deleteOthers: RoomOptions['deleteOthers'];
  /** Handles of methods that the check has made and needs no longer. */
  readonly #unneeded = new Set<string>();

  constructor({ undoing, operations, deleteOthers }: RoomOptions) {
    this.#undoing = undoing;
    this.#operations = operations;
    this.#deleteOthers = deleteOthers;
  }

  /** Notes that the check needs a method no longer. */
  release(handle: string): void {
    this.#unneeded.add(handle);
  }

  /** Makes room before a create, where the target is known to take few methods. */
  async ensure(): Promise<void> {
    if (this.#operations.takesFewMethods) await this.#deleteOthers?.();
  }

  /**
   * Deletes methods that are not needed now after a create was refused: a service may take only so many. Those that checks share are
   * made again when they are needed. Returns whether there were any, so that the create is worth another try.
   */
  async makeAfter(refused: ServiceResponse): Promise<boolean> {
    return wasRefused(refused) && (await this.#deleteAll());
  }

  /** Whether a create may have been refused because the owner has all the methods that it can have. */
  isUsedUp(response: ServiceResponse): boolean {
    return !isServed(response) && this.#operations.takesFewMethods;
  }

  /**
   * The response to a create, which is sent once more after room was made where the owner had all the methods that it can have, or may
   * have had them.
   */
  async create(create: () => Promise<ServiceResponse>): Promise<ServiceResponse> {
    const response = await create().catch((error: unknown) => this.#createWhereFull(create, error));
    if (!wasRefused(response)) return response;
    const hasMadeRoom = this.isUsedUp(response) ? await this.#deleteAll() : await this.#deleteUnneeded();
    if (!hasMadeRoom) return response;
    const again = await create();
    // The same create: nothing but the room can be the difference.
    this.#operations.takesFewMethods ||= isServed(again);
    return again;
  }

  /**
   * Sends a create once more that was answered 429 without a time to wait, after methods were deleted that are not needed now: if it is
   * served then, the owner had all the methods that it can have. Anything else leaves the check undecided as before.
   */
  async #createWhereFull(create: () => Promise<ServiceResponse>, error: unknown): Promise<ServiceResponse> {
    if (!(error instanceof NoResponse) || !error.mayBeFull) throw error;
    const knew = this.#operations.takesFewMethods;
    // What other checks share is deleted only then.
    this.#operations.takesFewMethods = true;
    let again: ServiceResponse | undefined;
    try {
      if (!(await this.#deleteAll())) throw error;
      again = await create();
      return again;
    } finally {
      this.#operations.takesFewMethods = knew || (again !== undefined && isServed(again));
    }
  }

  /** Deletes what the check needs no longer, and what it does not use. Returns whether there was anything. */
  async #deleteAll(): Promise<boolean> {
    const own = await this.#deleteUnneeded();
    const others = await this.#deleteOthers?.();
    return own || others === true;
  }

  /** Deletes the methods that the check needs no longer. Returns whether there were any. */
  async #deleteUnneeded(): Promise<boolean> {
    const deleted = await this.#undoing.deleteMethods(this.#unneeded);
    this.#unneeded.clear();
    return deleted > 0;
  }
}
