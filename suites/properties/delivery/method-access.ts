/** What the base rules need from the system under test, in a file of its own to avoid an import cycle. */
import type { Context } from '../../../harness/check/context.ts';
import type { Fault } from '../../../harness/check/expect.ts';
import type { Delivery, Json } from '../../../harness/target/interfaces/delivery.ts';
import type { PointField } from '../../delivery/steps/fields.ts';
import type { Fields, Owner, SlotName } from './state.ts';

/** The context of a sequence, and the methods that it works on. */
export interface MethodAccess {
  readonly context: Context;
  store(owner: Owner): Delivery;
  handle(name: SlotName): string;
  /** The first field of a point that does not read as the model has it. */
  wrongField(fields: Fields, read: Json): (Fault & { field: PointField }) | undefined;
}
