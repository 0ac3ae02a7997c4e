import { readFileSync } from 'node:fs';

/** Version of Proofmark, from package.json. */
export const PROOFMARK_VERSION: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

/** Version of the contract that the clauses state: the service's path prefix and the state of the Apps draft. */
export const CONTRACT_VERSION = 'v1+apps-draft';
