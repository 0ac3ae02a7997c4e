/** The one place where secrets are taken out of whatever is written: by value, in every encoding that a report could hold. */

export interface Redaction {
  /** From now on this value is replaced by `$NAME`. Values shorter than 8 characters only where a field or header carries them. */
  add(secret: { readonly name: string; readonly value: string }): void;
  text(text: string): string;
  bytes(bytes: Uint8Array): Uint8Array;
  /** Deep over a JSON value: strings and keys; short secrets by the name of their field. */
  value<T>(value: T): T;
  /** The value of a header or form field of that name. */
  field(name: string, value: string): string;
}

export function createRedaction(): Redaction {
  throw new Error('not written yet');
}

/** Masks names, e-mails, phones and addresses of people in a JSON value, by the names of the fields that hold them. */
export function maskPersonal<T>(value: T): T {
  throw new Error(`not written yet: ${typeof value}`);
}
