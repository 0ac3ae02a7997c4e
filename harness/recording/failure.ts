/** What the network threw, as JSON and back: a replay explains it by the same table as the run did. */
import { GiveUpError } from '../target/network/explain-failure.ts';

export interface RecordedFailure {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly cause?: RecordedFailure;
  /** The single attempts of an aggregate. */
  readonly errors?: readonly RecordedFailure[];
}

/** Causes in causes; more are never met. */
const DEEPEST = 5;

/** An error with what its explanation rests on: name, code, message, causes. `visible` takes secrets out of messages. */
export function failureToJson(error: unknown, visible: (text: string) => string, depth = 0): RecordedFailure {
  if (!(error instanceof Error)) return { name: 'Error', message: visible(String(error)) };
  const { code } = error as NodeJS.ErrnoException;
  const within = (other: unknown): RecordedFailure => failureToJson(other, visible, depth + 1);
  return {
    name: error instanceof GiveUpError ? 'GaveUp' : error.name,
    message: visible(error.message),
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.cause instanceof Error && depth < DEEPEST ? { cause: within(error.cause) } : {}),
    ...(error instanceof AggregateError && depth < DEEPEST ? { errors: error.errors.map(within) } : {}),
  };
}

/** The reverse; `opened` puts secrets back into messages. */
export function failureFromJson(failure: RecordedFailure, opened: (text: string) => string): Error {
  const message = opened(failure.message);
  if (failure.name === 'GaveUp') return new GiveUpError(failure.code as GiveUpError['code'], message);
  const within = (other: RecordedFailure): Error => failureFromJson(other, opened);
  const options = failure.cause === undefined ? undefined : { cause: within(failure.cause) };
  const error =
    failure.errors === undefined
      ? new Error(message, options)
      : new AggregateError(failure.errors.map(within), message, options);
  error.name = failure.name;
  return failure.code === undefined ? error : Object.assign(error, { code: failure.code });
}
