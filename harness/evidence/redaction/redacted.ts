/** The type of what may be written: only a value whose secrets were taken out at its source has it. */

declare const mark: unique symbol;

/** A `T` without secrets. The recorder, `resultOf` and the other sources of events make it; spools and the writer take nothing else. */
export type Redacted<T> = T & { readonly [mark]: true };

/** Vouches that every text of a target or a person in this value went through the redaction. Call it where that is plain to see. */
export const asRedacted = <T>(value: T): Redacted<T> => value as Redacted<T>;

/**
 * Fields that our own code fills from fixed words. They are kept as they are: a secret called "delivery" must not break ids.
 * Screenshots are masked where they are taken: base64 of pixels holds no text. A trace is a file name, or a sentence of ours.
 */
const STRUCTURAL = new Set([
  ...['type', 'n', 'id', 'check', 'title', 'question', 'clauses', 'clause', 'level', 'suite', 'additional', 'verdict'],
  ...[
    'attribution',
    'because',
    'restsOn',
    'role',
    'direction',
    'exchange',
    'exchanges',
    'decisive',
    'screenshots',
    'trace',
  ],
  ...['at', 'startedAt', 'endedAt', 'durationMs', 'seed', 'what', 'run', 'party', 'proofmark', 'contract', 'node'],
  ...['selected', 'plan', 'requests', 'requestsByInterface', 'allowInconclusive', 'errors', 'timings'],
]);

/** Takes secrets out of an event; the words of our own code stay. */
export function redactEvent<E extends object>(event: E, redact: (value: unknown) => unknown): Redacted<E> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(event)) {
    if (STRUCTURAL.has(key)) kept[key] = value;
    else if (key === 'breaches' && Array.isArray(value)) kept[key] = value.map((one) => redactEvent(one, redact));
    else kept[key] = redact(value);
  }
  return asRedacted(kept as E);
}

/**
 * Where a value that was to be free of secrets still held one: the path to it, in words of the redacted value. Undefined
 * when the two are equal, as they are whenever the source did its part.
 *
 * @param redacted the same value, redacted once more
 * @param redact distinguishes a secret from a label that reads like one (`$PASSWORD`, where the password is "PASSWORD")
 */
export function leakIn(
  value: unknown,
  redacted: unknown,
  redact: (value: unknown) => unknown,
  path = '',
): string | undefined {
  if (value === redacted) return undefined;
  if (typeof value !== 'object' || value === null || typeof redacted !== 'object' || redacted === null)
    return isLeak(value, redacted, redact) ? path : undefined;
  const [before, after] = [Object.entries(value), Object.entries(redacted)];
  for (const [at, [key, one]] of after.entries()) {
    const [name, own] = before[at] ?? [key, one];
    const here = path === '' ? key : `${path}.${key}`;
    const found = isLeak(name, key, redact) ? here : leakIn(own, one, redact, here);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A text or number in which something was replaced. What is only cut for its depth was replaced as a whole object. */
function isLeak(value: unknown, redacted: unknown, redact: (value: unknown) => unknown): boolean {
  if (value === redacted || (typeof value === 'object' && value !== null)) return false;
  if (typeof value !== 'string') return typeof redacted === 'string';
  const unlabelled = value.replace(/\$\w+/g, ' ');
  return redact(unlabelled) !== unlabelled;
}
