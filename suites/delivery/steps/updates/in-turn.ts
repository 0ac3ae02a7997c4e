/** Updates of one object that follow one another: of each field alone, and of several together (spec: Endpoints, PUT: only the fields to change). */
import type { Context } from '../../../../harness/check/context.ts';
import type { ServiceResponse } from '../../../../harness/target/client/types.ts';
import type { Json } from '../../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../../harness/target/response/judge-response.ts';
import { type MethodField, type PointField, pick, readBackFaults } from '../fields.ts';

interface Updated<Field> {
  /** `a method`, for messages. */
  readonly what: string;
  /** What the object holds, and other values for the same fields. */
  readonly sets: readonly [held: Json, other: Json];
  readonly fields: readonly Field[];
  change(fields: Json, purpose: 'change' | 'again'): Promise<ServiceResponse>;
  read(): Promise<Json>;
}

/**
 * Updates each field alone, then fields together, then as once before, and asserts that the object shows the new values. Returns the
 * fields that can be changed: which these are is not stated, so some may be refused, but not all.
 */
export async function appliesInTurn<Field extends MethodField | PointField>(
  context: Context,
  { what, sets, fields, change, read }: Updated<Field>,
): Promise<readonly Field[]> {
  const { expect } = context;
  const [first, second] = sets;
  let held = first;
  // At the first try one reading shows all updates that name different fields.
  const unread = new Set<Field>();
  const readThem = async (): Promise<void> => {
    if (unread.size === 0) return;
    const named = [...unread];
    unread.clear();
    const now = await read();
    const faults = named.flatMap((field) => readBackFaults(context, field, held[field], now[field]));
    expect.noFaults(faults, `after an update of ${named.join(' and ')} the new values must be returned`);
  };
  const applied = async (next: Json): Promise<void> => {
    held = { ...held, ...next };
    for (const field of fields) if (Object.hasOwn(next, field)) unread.add(field);
    if (context.explains) await readThem();
  };

  const changeable: Field[] = [];
  let refusal: ServiceResponse | undefined;
  for (const field of fields) {
    const next = pick(second, [field]);
    const response = await change(next, 'change');
    if (isServed(response)) {
      changeable.push(field);
      await applied(next);
    } else refusal = response;
  }
  // The one that can be changed may take other values only.
  if (changeable.length === 0 && refusal !== undefined)
    expect.accepted(refusal, `must accept an update of at least one field of ${what}`);

  for (const together of [...pairsOf(changeable), changeable]) {
    if (together.some((field) => unread.has(field))) await readThem();
    const next = Object.fromEntries(
      together.map((field) => [field, held[field] === first[field] ? second[field] : first[field]]),
    );
    const rule =
      together.length === 1
        ? `must accept another update of ${together[0]}`
        : `must accept an update of ${together.join(' and ')} together, since it accepts each alone`;
    expect.accepted(await change(next, 'change'), rule);
    await applied(next);
  }
  // Equal to an earlier update, which others have followed: it is not the same call sent twice.
  const repeated = changeable.find((field) => held[field] === first[field]) ?? changeable[0]!;
  for (const set of held[repeated] === first[repeated] ? [second] : [first, second]) {
    const again = pick(set, [repeated]);
    if (isServed(await change(again, 'again'))) await applied(again);
  }
  await readThem();
  return changeable;
}

/** Pairs in which each field is once. */
function pairsOf<Field>(fields: readonly Field[]): Field[][] {
  if (fields.length < 2) return [];
  const pairs: Field[][] = [];
  for (let at = 0; at < fields.length; at += 2) pairs.push([fields[at]!, fields[(at + 1) % fields.length]!]);
  return pairs;
}
