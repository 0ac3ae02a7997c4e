/** Faults of the Apps interface, one file per part. */
import type { Deviation } from '../../types/deviation.ts';
import { credentialFaults } from './credentials.ts';
import { dataFaults } from './data.ts';
import { recordFaults } from './records.ts';
import { refusedForContentsFaults } from './refused-for-contents.ts';
import { sideEffectFaults } from './side-effects.ts';
import { snippetFaults } from './snippets.ts';
import { snippetPageFaults } from './snippets-on-pages.ts';

export const appsFaults: readonly Deviation[] = [
  ...credentialFaults,
  ...snippetFaults,
  ...snippetPageFaults,
  ...dataFaults,
  ...sideEffectFaults,
  ...recordFaults,
  ...refusedForContentsFaults,
];
