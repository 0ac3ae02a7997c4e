/** The app manifest (spec: "App manifest (B)"; Limits, "App icon size" and "Transport"). */

import { APP_MANIFEST } from '../fields/catalogue/manifests.ts';
import { isJsonObject } from '../json/object.ts';
import { pointerOf } from '../json/pointer.ts';
import { type ManifestFault, ManifestJudge, MIN_MASKED_SECRET_CHARACTERS } from './judge.ts';
import { judgeRows } from './rows.ts';

/** The contract says "very brief" without a number: our limit, about two lines on a catalog card. */
export const MAX_SHORT_DESCRIPTION_CHARACTERS = 140;
/** Shorter secrets can be guessed; 16 characters of hex are 64 bits. The contract leaves the choice to the developer. */
export const MIN_SECRET_CHARACTERS = 16;

/** The texts that users read in their language. */
const LOCALIZABLE_TEXTS = [
  'app_display_title',
  'app_description_short',
  'app_description_full',
] as const satisfies ReadonlyArray<keyof typeof APP_MANIFEST>;

export interface AppManifestOptions {
  /** The operator's own idea of "very brief", in characters. Default: `MAX_SHORT_DESCRIPTION_CHARACTERS`. */
  readonly maxShortDescriptionCharacters?: number;
}

/**
 * Every fault of an app manifest: mandatory fields, types, fixed values, version, language codes, addresses, screenshots per
 * language, and, as SHOULD, what would hurt users or the developer. Unknown fields are not a fault.
 * The icon behind `app_icon` is judged with `judgeIcon` after it was fetched. `app_secret` is in no message.
 *
 * @param value the parsed JSON of the manifest
 * @example judgeAppManifest({ ...manifest, app_version: '1.0' })
 * // [{ rule: 'manifest.version', level: 'MUST', pointer: '/app_version', message: '…' }]
 */
export function judgeAppManifest(value: unknown, options: AppManifestOptions = {}): ManifestFault[] {
  const judge = new ManifestJudge(isJsonObject(value) ? value.app_secret : undefined);
  if (!isJsonObject(value)) {
    judge.add('type', 'MUST', '', `The manifest is ${judge.inWords(value)}; it must be a JSON object.`);
    return judge.faults;
  }
  const texts = judgeRows(judge, APP_MANIFEST, value);
  judgeBrevity(judge, texts, options.maxShortDescriptionCharacters ?? MAX_SHORT_DESCRIPTION_CHARACTERS);
  judgeScreenshots(judge, texts, value.app_screenshots);
  judgeStrength(judge, value);
  return judge.faults;
}

type Texts = ReturnType<typeof judgeRows>;

function judgeBrevity(judge: ManifestJudge, texts: Texts, charactersMax: number): void {
  for (const { text, pointer } of texts.get('app_description_short') ?? []) {
    const length = [...text].length;
    if (length <= charactersMax) continue;
    const message = `The short description has ${length} characters; it must be very brief, and Proofmark takes ${charactersMax} as the limit.`;
    judge.add('description-brief', 'SHOULD', pointer, message);
  }
}

function judgeScreenshots(judge: ManifestJudge, texts: Texts, screenshots: unknown): void {
  if (!isJsonObject(screenshots)) return;
  const languagesOf = (name: string) => (texts.get(name) ?? []).flatMap(({ language }) => language ?? []);
  const shown = new Set(languagesOf('app_screenshots'));
  const others = LOCALIZABLE_TEXTS.flatMap(languagesOf);
  const missing = [...new Set(others)].filter((language) => !shown.has(language));
  if (missing.length === 0) return;
  const message = `There is one screenshot per language, but none for ${missing.join(', ')}, in which the manifest has other texts.`;
  judge.add('screenshots-per-language', 'SHOULD', '/app_screenshots', message);
}

/** What is unwise in a secret that is one. */
function judgeStrength(judge: ManifestJudge, manifest: Readonly<Record<string, unknown>>): void {
  const { app_secret: secret } = manifest;
  if (typeof secret !== 'string' || secret === '') return;
  const pointer = '/app_secret';
  if (secret !== secret.trim()) {
    const message = '`app_secret` begins or ends with whitespace, which is easily lost.';
    judge.add('secret-whitespace', 'SHOULD', pointer, message);
  }
  if (secret.length < MIN_SECRET_CHARACTERS || new Set(secret).size < MIN_SECRET_CHARACTERS / 4) {
    const message = `\`app_secret\` is weak: choose at least ${MIN_SECRET_CHARACTERS} random characters.`;
    judge.add('secret-weak', 'SHOULD', pointer, message);
  }
  for (const place of placesOf(secret, manifest))
    judge.add('secret-elsewhere', 'SHOULD', place, 'This text contains `app_secret`: other people will see it.');
}

function placesOf(secret: string, manifest: Readonly<Record<string, unknown>>): string[] {
  if (secret.length < MIN_MASKED_SECRET_CHARACTERS) return [];
  const places: string[] = [];
  const visit = (value: unknown, pointer: string): void => {
    if (typeof value === 'string') {
      if (value.includes(secret) || value.includes(encodeURIComponent(secret.toWellFormed()))) places.push(pointer);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, child] of Object.entries(value)) visit(child, pointer + pointerOf(key));
    }
  };
  for (const [name, value] of Object.entries(manifest)) if (name !== 'app_secret') visit(value, pointerOf(name));
  return places;
}
