/** Multilanguage texts, their languages, and owners. */

/** A text in each language. */

export type TextByLanguage = Readonly<Record<string, string>>;

/** A text in the form in which it was sent: an object by language code, or a string for the default language. */
export type Text = string | TextByLanguage;

/** Who owns delivery methods: a store (private key) or a delivery provider (public key). */
export type OwnerId = `website:${number}` | `provider:${number}`;

/** Languages that texts of an owner may be written in. */
export interface Languages {
  readonly languages: readonly string[];
  readonly defaultLanguage: string;
}
