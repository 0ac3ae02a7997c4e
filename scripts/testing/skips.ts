/**
 * Skips that are announced: what they wait for is not expected in CI. Any other skip there is a failure, since a test that
 * decides by itself not to run proves nothing and looks green.
 */
const ANNOUNCED_SKIPS: readonly (readonly [reason: RegExp, because: string])[] = [
  [/PROOFMARK_SOAK=1/, 'a large size: `npm run soak` runs it'],
  [/^the spec is not at /, 'the contract is not published with the project'],
  [/^(zsh|fish) is not installed$/, 'completion is tried in the shells that a machine has'],
  [/^php is not installed$/, 'the PHP examples need PHP, which not every machine of CI has'],
  [/^npm could not reach a registry$/, 'an installation needs a registry'],
  [/^root may read every folder$/, 'CI may run as root'],
  [/^not on Windows$/, 'modes of files and shells differ there'],
];

/** Why a skip is a failure in CI; undefined when it is announced. `reason` is what the test runner has of it. */
export function whyNotAnnounced(reason: string | boolean): string | undefined {
  if (typeof reason !== 'string' || reason === '') return 'it was skipped without a reason';
  if (ANNOUNCED_SKIPS.some(([announced]) => announced.test(reason))) return undefined;
  return `it was skipped, which scripts/testing/skips.ts does not announce: ${reason}`;
}
