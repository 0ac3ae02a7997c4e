/** A stored pickup point: the fields of the catalogue that clients can write. */
import type { POINT, PointField } from '../../contracts/fields/catalogue/delivery.ts';
import type { ValueOf } from '../../contracts/fields/forms.ts';

/** Null: never set or removed. */
type Kept = { readonly [Name in Exclude<PointField, 'attributes'>]: ValueOf[(typeof POINT)[Name]['kind']] | null };

type Attributes = ValueOf['object'] | '';

export interface Point extends Kept {
  readonly id: string;
  /** `undefined` was never set; `''` was sent as the empty string. */
  readonly attributes: Attributes | undefined;
}

/** What a request sent for a point, checked for types; a field that was not sent is absent. */
export interface PointInput extends Partial<Kept> {
  readonly id?: string;
  readonly attributes?: Attributes | null;
}
