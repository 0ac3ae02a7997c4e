/** What each example that is not simply correct says about itself. */

export interface ExampleNote {
  /** Its file by meaning: `app.hash.any-case` is `app/faults/hash/any-case.ts`. */
  readonly id: string;
  /** The clauses it breaks: ids of `contracts/clauses`, party integrator. None for a variant, which is correct. */
  readonly clauses: readonly string[];
  /** What it does, in a sentence for the table of the documentation. */
  readonly about: string;
  /** For one that shows only under another tab mode than `blank`. */
  readonly tabMode?: 'self';
}
