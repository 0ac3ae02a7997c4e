/**
 * Integrators that differ from the correct example in several ways at once: correct ones, which a precheck must not blame, and faulty ones,
 * whose fault it must find there as well. The parts are the examples of `examples/integrators`.
 */
import type { Example, Kind } from '../../examples/integrators/index.ts';
import { randomFrom, shuffled } from '../../harness/runner/order/shuffle.ts';

/** What a precheck of an example needs. */
export type Combined = Pick<Example, 'kind' | 'make' | 'tabMode'> & {
  /** The ids of its parts. */
  readonly id: string;
  /** The clauses that its fault breaks; none where all parts are correct. */
  readonly clauses: readonly string[];
};

/** Combines examples of one kind, one at least. Each is laid over the ones before it, so that a step that calls the correct one calls theirs. */
export function combined([first, ...others]: readonly Example[]): Combined {
  if (first === undefined) throw new Error('No example was given.');
  const parts = [first, ...others];
  const tabMode = parts.find((part) => part.tabMode !== undefined)?.tabMode;
  return {
    kind: first.kind,
    id: parts.map(({ id }) => id).join(' + '),
    clauses: parts.flatMap(({ clauses }) => clauses),
    ...(tabMode === undefined ? {} : { tabMode }),
    make: (settings) => others.reduce((made, part) => part.over(made), first.make(settings)),
  };
}

/** Steps that pass on what is not theirs, so that several examples may change them. */
const SHARED_STEPS: ReadonlySet<string> = new Set(['respond', 'manifest']);
const ANY_SETTINGS = {
  ...{ origin: 'http://127.0.0.1:1', base: 'http://127.0.0.1:1/v1/', apiKey: 'key', appSecret: 'secret' },
  tabMode: 'blank',
} as const;

/** The steps that an example does in its own way. */
export const stepsOf = (example: Example): string[] =>
  Object.entries(example.make(ANY_SETTINGS)).flatMap(([name, step]) =>
    typeof step === 'function' && !SHARED_STEPS.has(name) ? [name] : [],
  );

/** Whether examples can be combined: no two of them change a step, and none is for another tab mode. */
export function fit(parts: readonly Example[]): boolean {
  const steps = parts.flatMap(stepsOf);
  const modes = new Set(parts.map(({ tabMode = 'blank' }) => tabMode));
  return new Set(steps).size === steps.length && modes.size === 1;
}

/** Draws so many combinations of correct examples, each of up to `most` ones that fit. */
export function drawnVariants(all: readonly Example[], options: DrawOptions): Combined[] {
  const variants = ofKind(all, 'variant', options.kind);
  const random = randomFrom(options.seed);
  return Array.from({ length: options.count }, () => {
    const order = shuffled(variants, Math.floor(random() * 2 ** 31));
    return combined(addedTo([], order, options.most));
  });
}

/** Draws so many faults, each laid over up to `most` correct examples that fit. */
export function drawnFaults(all: readonly Example[], options: DrawOptions): Combined[] {
  // Other ones than those of the drawn correct examples.
  const random = randomFrom(options.seed + 1);
  const faults = shuffled(ofKind(all, 'fault', options.kind), options.seed).slice(0, options.count);
  const variants = ofKind(all, 'variant', options.kind);
  return faults.map((fault) => {
    const [, ...under] = addedTo([fault], shuffled(variants, Math.floor(random() * 2 ** 31)), options.most + 1);
    return combined([...under, fault]);
  });
}

export interface DrawOptions {
  readonly kind: Kind;
  readonly count: number;
  /** Correct examples in one, at most. */
  readonly most: number;
  readonly seed: number;
}

const ofKind = (all: readonly Example[], sort: Example['sort'], kind: Kind): Example[] =>
  all.filter((example) => example.sort === sort && example.kind === kind);

/** The first parts with those of the candidates that fit, in their order, up to `most` in all. */
function addedTo(first: readonly Example[], candidates: readonly Example[], most: number): Example[] {
  const parts = [...first];
  for (const candidate of candidates) if (parts.length < most && fit([...parts, candidate])) parts.push(candidate);
  return parts;
}
