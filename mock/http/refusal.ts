/** Why a request is refused. The rules map a kind to a status and a code; each interface adds its envelope. */
export type RefusalKind =
  /** Not readable: bad JSON, bad percent signs, too deep, not UTF-8. */
  | 'malformed'
  /** Readable, but a value is of the wrong type or not allowed. */
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'wrong-method'
  | 'conflict'
  /** Used up: a one-time link, an old request. */
  | 'gone'
  /** More than 100 points in a call. */
  | 'too-many'
  /** More bytes than the service reads. */
  | 'too-large'
  /** Compressed: the service reads bodies as they are. */
  | 'coded'
  | 'too-often';

/** The only way to refuse: everything that the request has changed is rolled back. The message goes to the caller. */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly headers: Readonly<Record<string, string>>;
  constructor(kind: RefusalKind, message: string, headers: Readonly<Record<string, string>> = {}) {
    // A refusal is a response, not a bug: a stack, which is never printed, would cost more than all else of it.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'Refusal';
    this.kind = kind;
    this.headers = headers;
  }
}

export function refuse(kind: RefusalKind, message: string): never {
  throw new Refusal(kind, message);
}

/** The same sentence for every kind of bad credentials, so that callers learn nothing from it. */
export function unauthorized(): never {
  return refuse('unauthorized', 'Unauthorized');
}
