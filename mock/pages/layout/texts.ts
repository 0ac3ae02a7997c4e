/** Texts of manifests of unknown types: fixtures and old databases may contain anything. */
import { textIn } from '../../state/state.ts';
import type { Languages, Text } from '../../types/text.ts';

/** A localizable text in a website's default language; `''` for what is not a text. */
export function textOf(value: unknown, site: Languages, language = site.defaultLanguage): string {
  if (typeof value !== 'string' && (typeof value !== 'object' || value === null || Array.isArray(value))) return '';
  const text = textIn(value as Text, language, site);
  return typeof text === 'string' ? text : '';
}
