/**
 * Answers to be judged for their form alone. What was refused and had to be served (or the reverse) has checks of its own;
 * here such a response is skipped, and only when none is left is the check undecided.
 */
import { isJsonObject } from '../../contracts/json/object.ts';
import type { Context } from '../../harness/check/context.ts';
import { GivenFailure, Inconclusive } from '../../harness/check/failures.ts';
import { once } from '../../harness/resources/once.ts';
import type { ServiceRequest } from '../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../harness/target/client/types.ts';
import { isRefused, isServed } from '../../harness/target/response/judge-response.ts';

/** Which responses a rule covers. */
export type SampleScope = 'successes' | 'empty successes' | 'refusals' | 'all';

/** A call whose response is judged for its form. */
export interface RequestSample {
  /** In words that go after "the response to": `a call without a key`. */
  readonly what: string;
  readonly call: ServiceRequest;
  /** The clause whose checks fail when the call is not served, or not refused, as required. */
  readonly clause: string;
  /** The contract says that there is nothing to return, so that a success is the success envelope. */
  readonly returnsNothing?: boolean;
  /** A refusal that a service may build outside its own code (no such path, no such JSON): whether it is an envelope at all has clauses of its own. */
  readonly strange?: boolean;
}

export interface Sample extends Omit<RequestSample, 'call' | 'clause'> {
  readonly response: ServiceResponse;
}

/** Sends calls and keeps the responses that are refusals. Throws when none is, or when the target is not available. */
export async function refusalsOf(context: Context, calls: readonly RequestSample[]): Promise<Sample[]> {
  return anyOf(await sent(context, calls, isRefusal, 'probe'));
}

/** Sends calls in their order and keeps the responses that are successes. Throws when none is. */
export async function successesOf(context: Context, calls: readonly RequestSample[]): Promise<Sample[]> {
  return anyOf(await sent(context, calls, isServed));
}

/**
 * Sends both kinds of calls, each of the served ones directly after refused ones, the first of them after two: what one leaves behind
 * meets another refusal as well as a success. Throws when none of a kind comes out as it has to.
 */
export async function alternately(
  context: Context,
  served: readonly RequestSample[],
  refused: readonly RequestSample[],
): Promise<{ readonly served: readonly Sample[]; readonly refused: readonly Sample[] }> {
  const successes: Sent[] = [];
  const refusals: Sent[] = [];
  const left = [...refused];
  for (const [at, one] of served.entries()) {
    const some = left.splice(0, Math.ceil(left.length / (served.length - at)));
    refusals.push(await sent(context, some, isRefusal, 'probe'));
    successes.push(await sent(context, [one], isServed));
  }
  refusals.push(await sent(context, left, isRefusal, 'probe'));
  return { served: anyOf(...successes), refused: anyOf(...refusals) };
}

/** Answers that all rules of the form judge; made once, for whichever rule asks first. */
export interface SharedSamples {
  readonly name: string;
  readonly served: (context: Context) => Promise<readonly Sample[]>;
  readonly refused: (context: Context) => Promise<readonly Sample[]>;
}

/** The responses that a rule covers. */
export async function samplesFor(
  context: Context,
  { of }: { readonly of: SampleScope },
  { name, served, refused }: SharedSamples,
): Promise<Sample[]> {
  const successes = of === 'refusals' ? [] : await once(context, `${name}: served`, () => served(context));
  const isOfRefusals = of === 'refusals' || of === 'all';
  const refusals = isOfRefusals ? await once(context, `${name}: refused`, () => refused(context)) : [];
  return [...successes, ...refusals];
}

function isRefusal(response: ServiceResponse): boolean {
  const refusal = isRefused(response);
  if (refusal === 'unavailable') throw unavailable(response);
  return refusal === 'refused';
}

interface Sent {
  readonly samples: readonly Sample[];
  /** Why the first of the other calls gave no sample. */
  readonly failure: GivenFailure | undefined;
}

async function sent(
  context: Context,
  calls: readonly RequestSample[],
  keeps: (response: ServiceResponse) => boolean,
  role?: 'probe',
): Promise<Sent> {
  const samples: Sample[] = [];
  let failure: GivenFailure | undefined;
  for (const { call, clause, ...asked } of calls) {
    const response = await context.send(call, role);
    if (keeps(response)) samples.push({ ...asked, response });
    else
      failure ??= new GivenFailure(
        `${asked.what} did not get the required response`,
        clause,
        { response },
        isServed(response) ? 'deviation' : 'refusal',
      );
  }
  return { samples, failure };
}

/** All samples; throws the first failure if there are none. */
function anyOf(...all: readonly Sent[]): Sample[] {
  const samples = all.flatMap((one) => one.samples);
  const [first] = all.flatMap(({ failure }) => failure ?? []);
  if (samples.length === 0 && first !== undefined) throw first;
  return samples;
}

export const unavailable = ({ status }: ServiceResponse): Inconclusive =>
  new Inconclusive(`the target was not available (status ${status}): run again when it responds`, 'network');

/** Whether a response means to be the error envelope of Delivery and Apps, even with a wrong part. */
export function isEnvelopeLike({ json }: ServiceResponse): boolean {
  return isJsonObject(json) && (json.error === true || 'error_code' in json || 'error_message' in json);
}
