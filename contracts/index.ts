/**
 * `proofmark/contracts`: the rules of the store platform's contract as plain functions without I/O, for integrators who sign,
 * verify or check in TypeScript, and for every other part of this project.
 *
 * @module proofmark/contracts
 */
export * from './envelopes/index.ts';
export type * from './envelopes/wire.ts';
// Named again because the wire types have one of that name, too.
export type { MultilanguageText } from './fields/multilanguage.ts';
export * from './fields/multilanguage.ts';
export * from './fields/scalars.ts';
export * from './install-hash/index.ts';
export { isJsonObject } from './json/object.ts';
export { pointerOf } from './json/pointer.ts';
export { inWords } from './json/words.ts';
export * from './lists/pagination.ts';
export * from './lists/portions.ts';
export * from './manifests/index.ts';
export type { Fault, FaultLevel } from './run/fault.ts';
export * from './signing/index.ts';
