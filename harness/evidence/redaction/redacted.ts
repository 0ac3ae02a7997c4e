/** The type of what may be written: only a value whose secrets were taken out at its source has it. */

declare const mark: unique symbol;

/** A `T` without secrets. The recorder, `resultOf` and the other sources of events make it; spools and the writer take nothing else. */
export type Redacted<T> = T & { readonly [mark]: true };

/** Vouches that every text of a target or a person in this value went through the redaction. Call it where that is plain to see. */
export const asRedacted = <T>(value: T): Redacted<T> => value as Redacted<T>;

/** Fields that our own code fills from fixed words. They are kept as they are: a secret called "delivery" must not break ids. */
const STRUCTURAL = new Set([
  ...[
    'type',
    'n',
    'id',
    'check',
    'clauses',
    'level',
    'suite',
    'verdict',
    'attribution',
    'because',
    'restsOn',
    'breaches',
    'role',
    'direction',
  ],
  ...['exchanges', 'decisive', 'at', 'startedAt', 'endedAt', 'durationMs', 'seed', 'what', 'run', 'party', 'proofmark'],
  ...['contract', 'node', 'selected', 'plan', 'requests', 'allowInconclusive', 'timings'],
]);

/** Takes secrets out of an event; the words of our own code stay. */
export function redactEvent<E extends object>(event: E, redact: (value: unknown) => unknown): Redacted<E> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(event)) kept[key] = STRUCTURAL.has(key) ? value : redact(value);
  return asRedacted(kept as E);
}
