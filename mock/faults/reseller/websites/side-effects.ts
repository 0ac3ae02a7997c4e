/** Faults of calls that also change what they are not about: their own website, or another one. */
import type { Website } from '../../../state/state.ts';
import type { Deviation } from '../../../types/deviation.ts';
import { API, afterwards } from '../interception.ts';

type Http = NonNullable<Deviation['http']>;

/** Changes the website of a call that is about something else. */
const also = (path: RegExp, change: Partial<Website>): Http =>
  afterwards(path, ({ service, parts }) => service.state.websites.patch(parts[0] ?? '', change));

/** Detaches the domains of the website of a call for good. */
const detaches = (path: RegExp): Http =>
  afterwards(path, ({ service: { state }, parts }) => {
    for (const { id, websiteId } of state.domains.all())
      if (String(websiteId) === parts[0]) state.domains.delete(String(id));
  });

const NOTHING_ELSE = 'reseller.account.nothing-else-changes';
const DISABLED = { status: 0 } as const;

export const sideEffectFaults: readonly Deviation[] = [
  {
    id: 'reseller.domains-lost-by-disabling',
    clause: NOTHING_ELSE,
    about: 'Disabling a website detaches its domains for good.',
    http: detaches(API.disable),
  },
  {
    id: 'reseller.domains-lost-by-upgrade',
    clause: NOTHING_ELSE,
    about: 'Starting a subscription detaches the domains that the website had.',
    http: detaches(API.enablePremium),
  },
  {
    id: 'reseller.higher-level-upgrades-all',
    clause: 'reseller.website.only-named-website-changes',
    about: 'Starting the level premiumplus starts it for all websites; premium starts for one.',
    http: afterwards(API.enablePremium, ({ service: { state }, parts }) => {
      if (parts[1] !== 'premiumplus') return;
      for (const { id } of state.websites.all()) state.websites.patch(String(id), { premium: 'premiumplus' });
    }),
  },
  {
    id: 'reseller.disable-ends-subscription',
    clause: 'reseller.website.enable-restores',
    about: 'Disabling a website ends its subscription, which is gone once the website is enabled again.',
    http: also(API.disable, { premium: null }),
  },
  {
    id: 'reseller.upgrade-disables-website',
    clause: 'reseller.premium.stays-enabled',
    about: 'Starting a subscription disables the website until the subscription stops.',
    http: afterwards(/^\/api\/website\/([^/]+)\/(enable|disable)_premium\//, ({ service, parts }) =>
      service.state.websites.patch(parts[0] ?? '', { status: parts[1] === 'enable' ? 0 : 1 }),
    ),
  },
  {
    id: 'reseller.stop-disables-website',
    clause: 'reseller.premium.stays-enabled',
    about: 'Stopping the subscription of a website also disables it.',
    http: also(API.disablePremium, DISABLED),
  },
  {
    id: 'reseller.domain-add-disables-website',
    clause: 'reseller.domain.stays-enabled',
    about: 'Attaching a domain disables the website.',
    http: also(API.addDomain, DISABLED),
  },
  {
    id: 'reseller.domain-removal-disables-website',
    clause: 'reseller.domain.stays-enabled',
    about: 'Removing a domain disables the website that had it.',
    http: also(API.removeDomain, DISABLED),
  },
  {
    id: 'reseller.domain-removal-ends-subscription',
    clause: NOTHING_ELSE,
    about: 'Removing a domain ends the subscription of its website.',
    http: also(API.removeDomain, { premium: null }),
  },
  {
    id: 'reseller.settings-disable-a-website',
    clause: NOTHING_ELSE,
    about: 'The first change of settings disables the oldest website of the account.',
    http: afterwards(API.setSettings, ({ service: { state } }) => {
      const [reseller] = state.resellers.all();
      const oldest = state.websites.find(({ resellerId }) => resellerId === reseller?.id);
      if (oldest !== undefined) state.websites.patch(String(oldest.id), DISABLED);
    }),
  },
];
