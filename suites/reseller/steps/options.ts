/** Options of Reseller checks: the account, and the website that a run may use. */
import type { CheckOptions } from '../../../harness/check/facts.ts';

type Shared = Pick<CheckOptions, 'needs' | 'effects' | 'part'>;

/** Logs in and reads. */
export const READING: Shared = { needs: ['reseller.email', 'reseller.password'], effects: 'read', part: 'reseller' };

/** Reads about the website that the run may use. */
export const OWN_WEBSITE: Shared = { ...READING, needs: [...READING.needs, 'reseller.website'] };

/** Creates login links, opens them, and ends its own sessions. */
export const LINKS: Shared = { ...OWN_WEBSITE, effects: 'write' };

export const STATUS: Shared = { ...OWN_WEBSITE, effects: 'site-status' };
export const BILLING: Shared = { ...OWN_WEBSITE, effects: 'billing' };
export const SETTINGS: Shared = { ...READING, effects: 'settings' };
export const PASSWORD: Shared = { ...READING, effects: 'password' };

/** Attaches the domain of the profile to the website of the profile. */
export const DOMAINS: Shared = { ...OWN_WEBSITE, needs: [...OWN_WEBSITE.needs, 'reseller.domain'], effects: 'domains' };
