/** The rows of a manifest's fields, interpreted: presence, type and form of each value. */
import type { ManifestRow, ManifestRows } from '../fields/catalogue/manifests.ts';
import { isAppVersion } from '../fields/scalars.ts';
import { isJsonObject } from '../json/object.ts';
import { pointerOf } from '../json/pointer.ts';
import { at, type Field, looksLikeEmail, type ManifestJudge } from './judge.ts';

/** A text that says something, and where it is. */
export interface FoundText {
  readonly text: string;
  readonly pointer: string;
  /** Of a text in an object by language. */
  readonly language?: string;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Judges the fields of an object, and returns the texts of those that hold texts, by name. */
export function judgeRows(
  judge: ManifestJudge,
  rows: ManifestRows,
  owner: JsonObject,
  pointer = '',
): ReadonlyMap<string, readonly FoundText[]> {
  return new Map(
    Object.entries(rows).map(([name, row]) => [name, judgeField(judge, { owner, pointer, name }, row)] as const),
  );
}

function judgeField(judge: ManifestJudge, field: Field, row: ManifestRow): readonly FoundText[] {
  switch (row.kind) {
    case 'text':
    case 'email':
      return withForm(judge, field, row, textOf(judge, field, row));
    case 'localized text':
    case 'localized email':
    case 'localized address':
      return withForm(judge, field, row, judge.localized(field, row.isMandatory));
    case 'choice':
      judge.oneOf(field, row.choices ?? []);
      return [];
    case 'address':
      judgeAddress(judge, field, row);
      return [];
    case 'version':
      judgeVersion(judge, field, row);
      return [];
    case 'permissions':
      judgePermissions(judge, field, row);
      return [];
    case 'secret':
      judgeSecret(judge, field, row);
      return [];
    case 'boolean':
      judgeBoolean(judge, field, row);
      return [];
    case 'object':
      judgeObject(judge, field, row);
      return [];
    case 'list of objects':
      judgeList(judge, field, row);
      return [];
  }
}

function textOf(judge: ManifestJudge, field: Field, { isMandatory }: ManifestRow): readonly FoundText[] {
  const text = judge.text(field, isMandatory);
  return text === undefined ? [] : [{ text, pointer: at(field) }];
}

/** Judges each text as the kind of its field says; an address that mail can't reach will miss notices of breaking changes. */
function withForm(
  judge: ManifestJudge,
  { name }: Field,
  { kind, url = 'SHOULD', https = 'SHOULD' }: ManifestRow,
  texts: readonly FoundText[],
): readonly FoundText[] {
  for (const { text, pointer } of texts) {
    if (kind === 'localized address') judge.address(text, pointer, name, url, https);
    if ((kind === 'email' || kind === 'localized email') && !looksLikeEmail(text)) {
      const message = `\`${name}\` is ${judge.inWords(text)}, which does not look like an e-mail address.`;
      judge.add('email', 'SHOULD', pointer, message);
    }
  }
  return texts;
}

function judgeAddress(judge: ManifestJudge, field: Field, { isMandatory, url = 'MUST', https }: ManifestRow): void {
  const value = judge.valueOf(field, isMandatory);
  if (value === undefined) return;
  if (typeof value === 'string') judge.address(value, at(field), field.name, url, https);
  else {
    const message = `\`${field.name}\` is ${judge.inWords(value)}; it must be a string with an address.`;
    judge.add('text.type', 'MUST', at(field), message);
  }
}

function judgeVersion(judge: ManifestJudge, field: Field, { isMandatory }: ManifestRow): void {
  const version = judge.valueOf(field, isMandatory);
  if (version === undefined || isAppVersion(version)) return;
  const message = `\`${field.name}\` is ${judge.inWords(version)}; it must be a string in the form x.y.z, such as "1.0.2".`;
  judge.add('version', 'MUST', at(field), message);
}

function judgePermissions(judge: ManifestJudge, field: Field, { isMandatory }: ManifestRow): void {
  const permissions = judge.valueOf(field, isMandatory);
  if (permissions === undefined) return;
  if (Array.isArray(permissions) && permissions.length === 1 && permissions[0] === 'FULL') return;
  const seen = Array.isArray(permissions) ? JSON.stringify(permissions) : judge.inWords(permissions);
  judge.add('permissions', 'MUST', at(field), `\`${field.name}\` is ${seen}; it must be exactly ["FULL"].`);
}

/** The value is in no message. */
function judgeSecret(judge: ManifestJudge, field: Field, { isMandatory }: ManifestRow): void {
  const secret = judge.valueOf(field, isMandatory);
  if (secret === undefined) return;
  if (typeof secret !== 'string') {
    const type = Array.isArray(secret) ? 'a list' : `of type ${typeof secret}`;
    judge.add('secret', 'MUST', at(field), `\`${field.name}\` is ${type}; it must be a string.`);
  } else if (secret === '') {
    const message = `\`${field.name}\` is empty: without a secret a request cannot be verified.`;
    judge.add('secret', 'MUST', at(field), message);
  }
}

function judgeBoolean(judge: ManifestJudge, field: Field, { isMandatory }: ManifestRow): void {
  const value = judge.valueOf(field, isMandatory);
  if (value === undefined || typeof value === 'boolean') return;
  const message = `\`${field.name}\` is ${judge.inWords(value)}; it must be true or false.`;
  judge.add('boolean', 'MUST', at(field), message);
}

function judgeObject(judge: ManifestJudge, field: Field, { isMandatory, fields = {} }: ManifestRow): void {
  const value = judge.valueOf(field, isMandatory);
  if (value === undefined) return;
  if (isJsonObject(value)) judgeRows(judge, fields, value, at(field));
  else judge.add('type', 'MUST', at(field), `\`${field.name}\` is ${judge.inWords(value)}; it must be an object.`);
}

function judgeList(judge: ManifestJudge, field: Field, { isMandatory, fields = {} }: ManifestRow): void {
  const list = judge.valueOf(field, isMandatory);
  if (list === undefined) return;
  if (!Array.isArray(list)) {
    const message = `\`${field.name}\` is ${judge.inWords(list)}; it must be a list of objects.`;
    judge.add('type', 'MUST', at(field), message);
    return;
  }
  for (const [i, entry] of list.entries()) {
    const pointer = at(field) + pointerOf(i);
    if (isJsonObject(entry)) judgeRows(judge, fields, entry, pointer);
    else judge.add('type', 'MUST', pointer, `Data field ${i + 1} is ${judge.inWords(entry)}; it must be an object.`);
  }
}
