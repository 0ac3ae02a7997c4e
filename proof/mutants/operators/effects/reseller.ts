/** Side effects of Reseller calls: on subscriptions, switches, domains, settings and sessions. */
import type { Website } from '../../../../mock/state/state.ts';
import type { MutableRequest } from '../../message.ts';
import { keyOf, type World } from '../../world.ts';
import type { Effect, EffectRow } from './effect.ts';

const websiteOf = ({ service: { state } }: World, { segments }: MutableRequest): Website | undefined =>
  state.websites.get(segments.website ?? '');

const patchWebsite = (
  { service: { state } }: World,
  website: Website | undefined,
  changes: Partial<Website>,
): boolean => {
  if (
    website === undefined ||
    Object.entries(changes).every(([name, value]) => website[name as keyof Website] === value)
  )
    return false;
  state.websites.patch(String(website.id), changes);
  return true;
};

const onWebsite =
  (changes: Partial<Website>): Effect =>
  (world, sent) =>
    patchWebsite(world, websiteOf(world, sent), changes);
/** A website of the same reseller that the path does not name. */
const onOtherWebsite =
  (changes: (website: Website) => Partial<Website>): Effect =>
  (world, sent) => {
    const other = world.service.state.websites.find(
      ({ id, resellerId }) => resellerId === 9001 && String(id) !== sent.segments.website,
    );
    return other !== undefined && patchWebsite(world, other, changes(other));
  };

const dropDomains =
  (ofOwn: boolean, all: boolean): Effect =>
  ({ service: { state } }, sent) => {
    const rows = state.domains.filter(
      ({ id, websiteId }) =>
        (String(websiteId) === sent.segments.website) === ofOwn && String(id) !== sent.segments.domain,
    );
    const dropped = (all ? rows : rows.slice(0, 1)).filter(
      ({ domain }) =>
        domain !== sent.form?.find(([name]) => name === 'domain')?.[1] &&
        domain !== sent.query.find(([name]) => name === 'domain')?.[1],
    );
    for (const { id } of dropped) state.domains.delete(String(id));
    return dropped.length > 0;
  };

const endSession: Effect = (world, sent) => {
  const token = keyOf(sent);
  const had = world.service.state.tokens.has(token);
  world.service.state.tokens.delete(token);
  return had;
};

const WEBSITE_CALLS =
  /^reseller\.(website\.(enable|disable|enable-premium|disable-premium|login)|domain\.(add|remove))$/;
const ACCOUNT_CALLS = /^reseller\.(settings\.set|password|authorize|logout)$/;

export const RESELLER_EFFECTS: readonly EffectRow[] = [
  {
    id: 'subscription-lost',
    about: 'The website loses its subscription.',
    on: /^reseller\.(website\.(enable|disable|login)|domain\.(add|remove))$/,
    effect: onWebsite({ premium: null }),
  },
  {
    id: 'subscription-given',
    about: 'The website gets a subscription.',
    on: /^reseller\.(website\.(enable|disable|login)|domain\.(add|remove))$/,
    effect: onWebsite({ premium: 'premium' }),
  },
  {
    id: 'website-disabled',
    about: 'The website is disabled.',
    on: /^reseller\.(website\.(enable-premium|disable-premium|login)|domain\.(add|remove))$/,
    effect: onWebsite({ status: 0 }),
  },
  {
    id: 'other-subscription-flipped',
    about: 'The subscription of another website changes.',
    on: WEBSITE_CALLS,
    effect: onOtherWebsite(({ premium }) => ({ premium: premium === null ? 'premium' : null })),
  },
  {
    id: 'other-website-status-flipped',
    about: 'Another website is enabled or disabled.',
    on: WEBSITE_CALLS,
    effect: onOtherWebsite(({ status }) => ({ status: status === 0 ? 1 : 0 })),
  },
  {
    id: 'website-renamed',
    about: 'The website loses its name.',
    on: WEBSITE_CALLS,
    effect: onWebsite({ brandname: 'Website' }),
  },
  {
    id: 'own-domain-lost',
    about: 'The website loses another of its domains.',
    on: WEBSITE_CALLS,
    effect: dropDomains(true, false),
  },
  {
    id: 'other-domains-lost',
    about: 'Other websites lose their domains.',
    on: WEBSITE_CALLS,
    effect: dropDomains(false, true),
  },
  {
    id: 'session-ended',
    about: 'The session ends with the call.',
    on: /^reseller\.(?!logout|authorize)/,
    effect: endSession,
  },
  {
    id: 'settings-lost',
    about: 'The settings of the account are emptied.',
    on: ACCOUNT_CALLS,
    effect: ({ service: { state } }) => {
      const row = state.resellers.get('9001')!;
      const changes = { ...row.settings, company: '', contactPhone: '' };
      state.resellers.patch('9001', { settings: changes });
      return row.settings.company !== '';
    },
  },
];
