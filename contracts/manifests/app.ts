/** The app manifest (spec: "App manifest (B)"; Limits, "App icon size" and "Transport"). */

import { isAppVersion } from '../fields/scalars.ts';
import { isJsonObject, pointerOf } from '../run/fault.ts';
import {
  at,
  type Field,
  looksLikeEmail,
  MASKED_SECRET_CHARACTERS_MIN,
  type ManifestFault,
  ManifestJudge,
} from './judge.ts';

/** The contract says "very brief" without a number: our limit, about two lines on a catalog card. */
export const MAX_SHORT_DESCRIPTION_CHARACTERS = 140;
/** Shorter secrets can be guessed; 16 characters of hex are 64 bits. The contract leaves the choice to the developer. */
export const SECRET_CHARACTERS_MIN = 16;

const LOCALIZABLE_TEXTS = [
  ['app_display_title', false],
  ['app_description_short', true],
  ['app_description_full', true],
] as const;
const VENDOR_LOCALIZED = [
  'support_email',
  'support_phone',
  'company_url',
  'support_url',
  'privacy_url',
  'tos_url',
] as const;

export interface AppManifestOptions {
  /** The operator's own idea of "very brief", in characters. Default: `SHORT_DESCRIPTION_CHARACTERS_MAX`. */
  readonly shortDescriptionCharactersMax?: number;
}

/**
 * Every fault of an app manifest: mandatory fields, types, fixed values, version, language codes, addresses, screenshots per
 * language, and, as SHOULD, what would hurt users or the developer. Unknown fields are not a fault.
 * The icon behind `app_icon` is judged with `judgeIcon` once it was fetched. `app_secret` is in no message.
 *
 * @param value the parsed JSON of the manifest
 * @example judgeAppManifest({ ...manifest, app_version: '1.0' })
 * // [{ rule: 'manifest.version', level: 'MUST', pointer: '/app_version', message: '…' }]
 */
export function judgeAppManifest(value: unknown, options: AppManifestOptions = {}): ManifestFault[] {
  const judge = new ManifestJudge(isJsonObject(value) ? value.app_secret : undefined);
  if (!isJsonObject(value)) {
    judge.add('type', 'MUST', '', `The manifest is ${judge.inWords(value)}; it has to be a JSON object.`);
    return judge.faults;
  }
  const field = (name: string): Field => ({ owner: value, pointer: '', name });
  judge.oneOf(field('app_type'), ['APP']);
  judge.text(field('app_title'), true);
  judgeTexts(judge, field, value, options.shortDescriptionCharactersMax ?? MAX_SHORT_DESCRIPTION_CHARACTERS);
  judgeVersion(judge, field('app_version'));
  judgeVendor(judge, field('app_vendor'));
  judgePermissions(judge, field('app_permissions'));
  judge.oneOf(field('app_tab_mode'), ['blank', 'self']);
  judgeUrl(judge, field('app_icon'), 'SHOULD');
  judgeUrl(judge, field('app_install_url'), 'MUST');
  judgeUrl(judge, field('app_settings_url'), 'MUST');
  judgeSecret(judge, field('app_secret'));
  return judge.faults;
}

function judgeTexts(
  judge: ManifestJudge,
  field: (name: string) => Field,
  manifest: Readonly<Record<string, unknown>>,
  briefCharactersMax: number,
): void {
  const languages = new Set<string>();
  for (const [name, mandatory] of LOCALIZABLE_TEXTS) {
    for (const { text, pointer, language } of judge.localized(field(name), mandatory)) {
      if (language !== undefined) languages.add(language);
      const length = [...text].length;
      if (name !== 'app_description_short' || length <= briefCharactersMax) continue;
      const message = `The short description has ${length} characters; it has to be very brief, and we take ${briefCharactersMax} as the limit.`;
      judge.add('description-brief', 'SHOULD', pointer, message);
    }
  }
  const screenshots = judge.localized(field('app_screenshots'), false);
  for (const { text, pointer } of screenshots) judge.address(text, pointer, 'app_screenshots', 'MUST');
  if (!isJsonObject(manifest.app_screenshots)) return;
  const shown = new Set(screenshots.map(({ language }) => language));
  const missing = [...languages].filter((language) => !shown.has(language));
  if (missing.length === 0) return;
  const message = `There is one screenshot per language, but none for ${missing.join(', ')}, in which the manifest has other texts.`;
  judge.add('screenshots-per-language', 'SHOULD', '/app_screenshots', message);
}

function judgeVersion(judge: ManifestJudge, field: Field): void {
  const version = judge.valueOf(field, true);
  if (version === undefined || isAppVersion(version)) return;
  const message = `\`app_version\` is ${judge.inWords(version)}; it has to be a string of three numbers between dots, such as "1.0.2".`;
  judge.add('version', 'MUST', at(field), message);
}

function judgeVendor(judge: ManifestJudge, field: Field): void {
  const vendor = judge.valueOf(field, true);
  if (vendor === undefined) return;
  if (!isJsonObject(vendor)) {
    judge.add('type', 'MUST', at(field), `\`app_vendor\` is ${judge.inWords(vendor)}; it has to be an object.`);
    return;
  }
  const own = (name: string): Field => ({ owner: vendor, pointer: at(field), name });
  judge.text(own('company_name'), true);
  const email = judge.text(own('developer_email'), true);
  if (email !== undefined) judgeEmail(judge, email, at(own('developer_email')), 'developer_email');
  for (const name of VENDOR_LOCALIZED) {
    for (const { text, pointer } of judge.localized(own(name), true)) {
      if (name.endsWith('_url')) judge.address(text, pointer, name, 'SHOULD');
      if (name.endsWith('_email')) judgeEmail(judge, text, pointer, name);
    }
  }
}

/** Shared with the delivery manifest: an address that mail can't reach will miss the notices of breaking changes. */
export function judgeEmail(judge: ManifestJudge, text: string, pointer: string, name: string): void {
  if (looksLikeEmail(text)) return;
  judge.add(
    'email',
    'SHOULD',
    pointer,
    `\`${name}\` is ${judge.inWords(text)}, which does not look like an e-mail address.`,
  );
}

function judgePermissions(judge: ManifestJudge, field: Field): void {
  const permissions = judge.valueOf(field, true);
  if (permissions === undefined) return;
  if (Array.isArray(permissions) && permissions.length === 1 && permissions[0] === 'FULL') return;
  const seen = Array.isArray(permissions) ? JSON.stringify(permissions) : judge.inWords(permissions);
  judge.add('permissions', 'MUST', at(field), `\`app_permissions\` is ${seen}; it has to be exactly ["FULL"].`);
}

function judgeUrl(judge: ManifestJudge, field: Field, https: 'MUST' | 'SHOULD'): void {
  const value = judge.valueOf(field, true);
  if (value === undefined) return;
  if (typeof value === 'string') judge.address(value, at(field), field.name, 'MUST', https);
  else
    judge.add(
      'text.type',
      'MUST',
      at(field),
      `\`${field.name}\` is ${judge.inWords(value)}; it has to be a string with an address.`,
    );
}

function judgeSecret(judge: ManifestJudge, field: Field): void {
  const secret = judge.valueOf(field, true);
  if (secret === undefined) return;
  const pointer = at(field);
  if (typeof secret !== 'string') {
    const type = Array.isArray(secret) ? 'a list' : `of type ${typeof secret}`;
    judge.add('secret', 'MUST', pointer, `\`app_secret\` is ${type}; it has to be a string.`);
  } else if (secret === '') {
    judge.add('secret', 'MUST', pointer, '`app_secret` is empty: without a secret a request cannot be verified.');
  } else {
    if (secret !== secret.trim()) {
      judge.add(
        'secret-whitespace',
        'SHOULD',
        pointer,
        '`app_secret` begins or ends with whitespace, which is easily lost.',
      );
    }
    if (secret.length < SECRET_CHARACTERS_MIN || new Set(secret).size < SECRET_CHARACTERS_MIN / 4) {
      const message = `\`app_secret\` is weak: choose at least ${SECRET_CHARACTERS_MIN} random characters.`;
      judge.add('secret-weak', 'SHOULD', pointer, message);
    }
    for (const place of placesOf(secret, field.owner)) {
      judge.add('secret-elsewhere', 'SHOULD', place, 'This text holds `app_secret`: other people will see it.');
    }
  }
}

function placesOf(secret: string, manifest: Readonly<Record<string, unknown>>): string[] {
  if (secret.length < MASKED_SECRET_CHARACTERS_MIN) return [];
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
