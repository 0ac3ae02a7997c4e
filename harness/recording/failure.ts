/** What the network threw, as JSON and back: a replay explains it by the same table as the run did. */
import { GaveUp } from '../target/explain-failure.ts';

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
    name: error instanceof GaveUp ? 'GaveUp' : error.name,
    message: visible(error.message),
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.cause instanceof Error && depth < DEEPEST ? { cause: within(error.cause) } : {}),
    ...(error instanceof AggregateError && depth < DEEPEST ? { errors: error.errors.map(within) } : {}),
  };
}

export function failureFromJson(failure: RecordedFailure): Error {
  if (failure.name === 'GaveUp') return new GaveUp(failure.code as GaveUp['code'], failure.message);
  const options = failure.cause === undefined ? undefined : { cause: failureFromJson(failure.cause) };
  const error =
    failure.errors === undefined
      ? new Error(failure.message, options)
      : new AggregateError(failure.errors.map(failureFromJson), failure.message, options);
  error.name = failure.name;
  return failure.code === undefined ? error : Object.assign(error, { code: failure.code });
}
