/**
 * Rows of the catalogue: what the contract says about one field of a resource. Type and presence are in the schemas of the
 * documents; a row adds the clauses and what a schema can't state. Field checks, models and rules over traffic interpret rows.
 */
import { FORMS, type Form, type Kind } from '../forms.ts';

export interface FieldRow {
  readonly kind: Kind;
  /** Clause that a value of another type or form breaks. */
  readonly form: string;
  /** Clause that a value reads back as it was sent; fields without one can't be written. */
  readonly kept?: string;
  /** The service echoes what a client sent: of the form only the JSON type is its own. */
  readonly isEcho?: true;
  /** Two values that differ, for fields whose values do not depend on a website or a run. */
  readonly samples?: readonly [first: unknown, second: unknown];
}

/** The fields of a resource by name, in the order of the contract. */
export type Fields<Name extends string = string> = Readonly<Record<Name, FieldRow>>;

/** The rows of fields that a request document names. */
export type WritableRows<Name extends string> = Readonly<Record<Name, FieldRow & { readonly kept: string }>>;

/** Names of the fields that clients can write. */
export type Writable<Rows extends Fields> = {
  [Name in keyof Rows]: Rows[Name] extends { readonly kept: string } ? Name : never;
}[keyof Rows] &
  string;

/** The fields that clients can write, in the order of the contract. */
export const writableOf = <Rows extends Fields>(rows: Rows): readonly Writable<Rows>[] =>
  Object.keys(rows).filter((name): name is Writable<Rows> => rows[name]?.kept !== undefined);

/** The clause of each writable field that says that it is kept. */
export const keptClausesOf = <Rows extends Fields>(rows: Rows): Readonly<Record<Writable<Rows>, string>> =>
  Object.fromEntries(writableOf(rows).map((name) => [name, rows[name]?.kept])) as never;

/** The fields whose form a clause states, with that form. Throws when there are none: a misspelt clause would judge nothing. */
export function fieldsOfClause(
  rows: Fields,
  clause: string,
): { readonly fields: readonly string[]; readonly form: Form } {
  const own = Object.entries(rows).filter(([, row]) => row.form === clause);
  const [first] = own;
  if (first === undefined)
    throw new Error(`No field of the catalogue has the clause ${clause}: add a row or correct it.`);
  const other = own.find(([, row]) => row.kind !== first[1].kind);
  if (other !== undefined)
    throw new Error(
      `${first[0]} and ${other[0]} share the clause ${clause} and differ in kind: give each its own clause.`,
    );
  return { fields: own.map(([name]) => name), form: FORMS[first[1].kind] };
}
