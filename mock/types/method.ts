/** A stored delivery method: the fields of the catalogue that clients can write, and the fields of the service. */
import type { METHOD, MethodField } from '../../contracts/fields/catalogue/delivery.ts';
import type { ValueOf } from '../../contracts/fields/forms.ts';
import type { OwnerId } from './text.ts';

/** The fields that clients can write; null: never set or removed. */
export type MethodFields = { readonly [Name in MethodField]: ValueOf[(typeof METHOD)[Name]['kind']] | null };

/** What a request sent for a method, checked for types; a field that was not sent is absent. */
export type MethodInput = Partial<MethodFields>;

export interface Method extends MethodFields {
  readonly handle: string;
  /** Place in the order of creation; also the position in a list. */
  readonly number: number;
  readonly owner: OwnerId;
  readonly name: string;
}
