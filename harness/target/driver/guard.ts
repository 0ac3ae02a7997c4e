/**
 * A user's driver as the checks may call it: what it throws, returns or waits for makes a check inconclusive, naming the
 * function and what it should do. It is never an error of Proofmark's own, and never the target's `fail`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isKnownLabelField } from '../../../contracts/fields/label-values.ts';
import { explainCertificateError } from '../../browser/browser-trust.ts';
import { INTERRUPTED } from '../../browser/steady-goto.ts';
import { Inconclusive } from '../../check/failures.ts';
import { placeOf } from './driver-error.ts';
import { firstLine } from './first-line.ts';
import { memberOf } from './module.ts';
import type { LabelState, TargetDriver } from './target-driver.ts';

/** Some clicks through a slow store admin, with Playwright's own time-outs of half a minute inside. */
const DRIVER_STEP_TIMEOUT_MS = 180_000;
/** A function that did not end may do so in each check: from then on a call is given this part of the time, until one ends. */
const LATER_PART = 1 / 6;
/** A function that was fast enough before is given so many times what it took then, if that is more. */
const LATER_FACTOR = 2;
/** After so many calls in a row that did not end, a function is not called again. */
const MAX_UNENDED_CALLS = 3;

/** Errors of Playwright are about the target's pages, and reported as such. */
const OF_PAGE = /Timeout \d|locator|page\.|net::ERR|Target (?:page|closed)|browserContext/;

const hasMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
/** Names that no check compares were meant to be others: without a word nothing would be compared. */
const fitsFields = (value: unknown): boolean =>
  value === undefined ||
  (hasMembers(value) &&
    Object.entries(value).every(
      ([name, text]) => isKnownLabelField(name) && (text === undefined || typeof text === 'string'),
    ));
const isTextOrNone = (value: unknown): boolean => value === null || value === undefined || typeof value === 'string';

/** What a function has to return, where the checks use it. */
const RETURNS: Partial<
  Record<
    keyof TargetDriver,
    {
      readonly words: string;
      readonly fits: (value: unknown) => boolean;
      /** What the checks get of a value that fits; the value itself, by default. */
      readonly as?: (value: never) => unknown;
    }
  >
> = {
  openOrder: {
    words:
      '{ orderUuid: "…" } and, where it knows what label requests hold, labelFields: texts under names such as shipping_street, buyer_zip, shipping_phone or weight',
    fits: (value) =>
      hasMembers(value) &&
      typeof value.orderUuid === 'string' &&
      value.orderUuid !== '' &&
      fitsFields(value.labelFields),
  },
  hasPrintLabel: { words: 'true or false', fits: (value) => typeof value === 'boolean' },
  labelOf: {
    words: '{ labelUrl, trackingCode, errorMessage } and, where the store shows it, trackingUrl, each a string or null',
    fits: (value) =>
      hasMembers(value) &&
      [value.labelUrl, value.trackingCode, value.errorMessage, value.trackingUrl].every(isTextOrNone),
    as: ({ labelUrl, trackingCode, errorMessage, trackingUrl }: Partial<LabelState>): LabelState => ({
      labelUrl: labelUrl ?? null,
      trackingCode: trackingCode ?? null,
      errorMessage: errorMessage ?? null,
      ...(trackingUrl === undefined ? {} : { trackingUrl }),
    }),
  },
  offeredMethods: {
    words: 'a list of handles',
    fits: (value) => Array.isArray(value) && value.every((handle) => typeof handle === 'string'),
  },
  installState: {
    words: '{ known, installed }, each true or false',
    fits: (value) => hasMembers(value) && typeof value.known === 'boolean' && typeof value.installed === 'boolean',
  },
};

/**
 * A page may still be on its way to where a button led it when the next function goes elsewhere: what arrives then interrupts
 * that. Functions that may run twice are called again; what presses something is not.
 */
const REPEATABLE: ReadonlySet<keyof TargetDriver> = new Set([
  'openOrder',
  'hasPrintLabel',
  'labelOf',
  'enableMethod',
  'offeredMethods',
  'installState',
]);
const MAX_CALLS = 4;
/** What interrupted goes on for a while, and interrupts again a caller that comes at once; each pause is longer than the last. */
const PAUSE_MS = 300;

async function withRepeats(name: keyof TargetDriver, call: () => unknown): Promise<unknown> {
  for (let calls = 1; ; calls += 1) {
    try {
      return await call();
    } catch (error) {
      const isInterrupted = error instanceof Error && INTERRUPTED.test(error.message);
      if (!isInterrupted || !REPEATABLE.has(name) || calls === MAX_CALLS) throw error;
    }
    await sleep(PAUSE_MS * 2 ** (calls - 1));
  }
}

/** Only the members that the driver has, so that what is missing stays missing. */
export function guardedDriver(
  members: Readonly<Record<string, unknown>>,
  names: ReadonlyArray<keyof TargetDriver>,
  file: string,
  timeoutMs: number = DRIVER_STEP_TIMEOUT_MS,
): TargetDriver {
  const present = names.filter((name) => memberOf(members, name, file) !== undefined);
  return Object.fromEntries(
    present.map((name) => {
      const patience = new Patience(timeoutMs);
      const call = (args: readonly unknown[]) => (): unknown =>
        (members[name] as (...all: readonly unknown[]) => unknown).apply(members, [...args]);
      return [name, (...args: readonly unknown[]) => called(name, call(args), file, patience)];
    }),
  ) as TargetDriver;
}

/** How long the calls of one function are waited for. */
class Patience {
  readonly #timeoutMs: number;
  #longestMs = 0;
  #unended = 0;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** For the next call; undefined if another one would be useless. */
  get ms(): number | undefined {
    if (this.#unended >= MAX_UNENDED_CALLS) return undefined;
    if (this.#unended === 0) return this.#timeoutMs;
    return Math.min(this.#timeoutMs, Math.max(this.#timeoutMs * LATER_PART, this.#longestMs * LATER_FACTOR));
  }

  ended(afterMs: number): void {
    this.#longestMs = Math.max(this.#longestMs, afterMs);
    this.#unended = 0;
  }

  didNotEnd(): void {
    this.#unended += 1;
  }
}

async function called(
  name: keyof TargetDriver,
  call: () => unknown,
  file: string,
  patience: Patience,
): Promise<unknown> {
  const wrong = (what: string): Inconclusive =>
    new Inconclusive(`the driver's ${name}() ${what}: correct ${file}`, 'configuration');
  const timeoutMs = patience.ms;
  if (timeoutMs === undefined)
    throw wrong(`is not called again, because ${MAX_UNENDED_CALLS} calls in a row did not end`);
  const began = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      patience.didNotEnd();
      reject(wrong(`did not end within ${Math.round(timeoutMs / 1000)} s`));
    }, timeoutMs);
  });
  // Within a promise, so that what is thrown at once comes the same way as what is rejected later.
  const ending = Promise.resolve().then(() => withRepeats(name, call));
  const hasEnded = (): void => patience.ended(performance.now() - began);
  ending.then(hasEnded, hasEnded);
  let value: unknown;
  try {
    value = await Promise.race([ending, late]);
  } catch (error) {
    if (error instanceof Inconclusive) throw error;
    const untrusted = explainCertificateError(error);
    if (untrusted !== undefined) throw new Inconclusive(untrusted, 'configuration');
    const place = placeOf(file, error);
    if (error instanceof Error && OF_PAGE.test(error.message))
      throw new Inconclusive(`the driver's ${name}() failed: ${firstLine(error)}${place}`, 'configuration');
    throw wrong(`failed: ${firstLine(error)}${place}`);
  } finally {
    clearTimeout(timer);
  }
  const returns = RETURNS[name];
  if (returns === undefined) return value;
  if (!fits(returns.fits, value)) throw wrong(`must return ${returns.words}`);
  return returns.as === undefined ? value : returns.as(value as never);
}

/** A value of the user's own may throw when it is read. */
function fits(judge: (value: unknown) => boolean, value: unknown): boolean {
  try {
    return judge(value);
  } catch {
    return false;
  }
}
