import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/** Version of the package in which this module lies: of the checkout, or of the installed package. */
export const PROOFMARK_VERSION: string = (
  JSON.parse(readFileSync(findPackageJSON(import.meta.url) as string, 'utf8')) as { version: string }
).version;

/** Version of the contract that the clauses state: the service's path prefix and the state of the Apps draft. */
export const CONTRACT_VERSION = 'v1+apps-draft';
