/** What an approval package is made of: a zip with these parts, and one file that names each with its digest. */
import { isJsonObject } from '../../../contracts/json/object.ts';

/** Increases when an older reader could not understand a package. */
export const PACKAGE_FORMAT = 1;
/** Names the parts; it is the first entry of the zip. */
export const PACKAGE_FILE = 'proofmark-package.json';

const MEBIBYTE = 1024 * 1024;

/** Every part that a package may have, with the bytes that it may have at most. */
export const MAX_PART_BYTES = {
  'results.json': 64 * MEBIBYTE,
  'report.html': 256 * MEBIBYTE,
  'events.ndjson': 1024 * MEBIBYTE,
  /** As submitted, its secrets taken out; only of a precheck. */
  'manifest.json': 8 * MEBIBYTE,
} as const;

export type PartName = keyof typeof MAX_PART_BYTES;

/** Parts without which it is not a package. */
export const NEEDED_PARTS = ['results.json', 'report.html', 'events.ndjson'] as const satisfies readonly PartName[];
export const MAX_PACKAGE_FILE_BYTES = MEBIBYTE;

export interface PackagePart {
  readonly name: PartName;
  readonly bytes: number;
  /** Hexadecimal, lower-case. */
  readonly sha256: string;
}

/** The content of `proofmark-package.json`. */
export interface PackageInfo {
  readonly format: typeof PACKAGE_FORMAT;
  readonly proofmark: string;
  readonly contract: string;
  readonly command: string;
  readonly party: 'service' | 'integrator';
  readonly target: { readonly name: string; readonly kind: string };
  readonly run: string;
  readonly startedAt: string;
  readonly outcome: string;
  readonly exitCode: number;
  readonly parts: readonly PackagePart[];
}

/** Facts that the package repeats from its results. */
export const REPEATED_FACTS = [
  'proofmark',
  'contract',
  'command',
  'party',
  'target',
  'run',
  'startedAt',
  'outcome',
  'exitCode',
] as const satisfies ReadonlyArray<keyof PackageInfo>;

/** What keeps a JSON value from being the content of `proofmark-package.json`, as the end of a sentence; undefined: nothing. */
export function packageInfoProblem(value: unknown): string | undefined {
  if (!isJsonObject(value)) return 'is not a JSON object';
  if (value.format !== PACKAGE_FORMAT) return `has a format other than ${PACKAGE_FORMAT}`;
  const texts = ['proofmark', 'contract', 'command', 'run', 'startedAt', 'outcome'];
  const missing = texts.find((name) => typeof value[name] !== 'string');
  if (missing !== undefined) return `has no string "${missing}"`;
  if (value.party !== 'service' && value.party !== 'integrator') return 'does not name a party';
  const { target } = value;
  if (!isJsonObject(target) || typeof target.name !== 'string' || typeof target.kind !== 'string')
    return 'has no target';
  if (!Number.isInteger(value.exitCode)) return 'has no exit code';
  if (!Array.isArray(value.parts) || !value.parts.every(isPart))
    return 'does not list its parts with sizes and digests';
  const names = value.parts.map(({ name }) => name);
  if (new Set(names).size !== names.length) return 'lists a part twice';
  const lacking = NEEDED_PARTS.find((name) => !names.includes(name));
  return lacking === undefined ? undefined : `names no ${lacking}`;
}

function isPart(value: unknown): value is PackagePart {
  return (
    isJsonObject(value) &&
    typeof value.name === 'string' &&
    Object.hasOwn(MAX_PART_BYTES, value.name) &&
    Number.isSafeInteger(value.bytes) &&
    typeof value.sha256 === 'string' &&
    /^[0-9a-f]{64}$/.test(value.sha256)
  );
}
