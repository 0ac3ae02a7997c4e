/**
 * `proofmark/contracts`: the rules of the store platform's contract as plain functions without I/O, for integrators who sign,
 * verify or check in TypeScript, and for every other part of this project.
 */
export * from './envelopes.ts';
export { type Fault, type FaultLevel, inWords, isJsonObject, pointerOf } from './fault.ts';
export * from './install-hash.ts';
export * from './manifests/index.ts';
// Named again because the wire types have one of that name, too.
export type { MultilanguageText } from './multilanguage.ts';
export * from './multilanguage.ts';
export * from './pagination.ts';
export * from './portions.ts';
export * from './scalars.ts';
export * from './signing.ts';
export type * from './wire.ts';
