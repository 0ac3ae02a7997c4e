/** Other correct readings of what the contract leaves open, one file a subject. */
import type { Deviation } from '../types/deviation.ts';
import { handlingVariants } from './handling.ts';
import { integrationVariants } from './integrations.ts';
import { listVariants } from './lists.ts';
import { loginPageVariants } from './login-pages.ts';
import { reinstallVariants } from './reinstalls.ts';
import { resourceVariants } from './resources.ts';
import { responseVariants } from './responses.ts';
import { siteVariants } from './site.ts';
import { strictnessVariants } from './strictness.ts';

export const variants: readonly Deviation[] = [
  ...listVariants,
  ...resourceVariants,
  ...responseVariants,
  ...handlingVariants,
  ...integrationVariants,
  ...reinstallVariants,
  ...strictnessVariants,
  ...siteVariants,
  ...loginPageVariants,
];
