/** Updates of different fields of one object that arrive together (spec: Endpoints, PUT: only the fields to change). */
import type { Context } from '../../../../harness/check/context.ts';
import { atOnce } from '../../../../harness/process/at-once.ts';
import type { ServiceResponse } from '../../../../harness/target/client/types.ts';
import type { Json } from '../../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../../harness/target/response/judge-response.ts';
import { type MethodField, type PointField, pick, readBackFaults } from '../fields.ts';

interface Updated<Field> {
  /** `a method`, for messages. */
  readonly what: string;
  /** The clause about updates that arrive one after the other. */
  readonly applies: string;
  /** Values that the object does not have yet; each was taken before, or one like it. */
  readonly values: Json;
  readonly fields: readonly Field[];
  change(fields: Json): Promise<ServiceResponse>;
  read(): Promise<Json>;
}

/**
 * Sends an update of each field at the same time, and asserts that none of those that were served is lost: whichever comes first, the
 * others do not name its field. A service may refuse all but one.
 */
export async function losesNoUpdate<Field extends MethodField | PointField>(
  context: Context,
  { what, applies, values, fields, change, read }: Updated<Field>,
): Promise<void> {
  const responses = await atOnce(fields.map((field) => () => change(pick(values, [field]))));
  const served = fields.filter((_, at) => isServed(responses[at]!));
  const lostNow = async (): Promise<readonly Field[]> => {
    const now = await read();
    return served.filter((field) => readBackFaults(context, field, values[field], now[field]).length > 0);
  };
  const lost = await lostNow();
  if (lost.length > 0) {
    // By itself it has to be kept too: else the others are not the reason.
    for (const field of lost) await change(pick(values, [field]));
    const still = await lostNow();
    context.given.holds(still.length === 0, applies, `an update of ${still} is lost, also when it comes alone`);
  }
  context.expect.equal(lost, [], `updates of different fields of ${what} that arrive together must all be kept`);
}
