/**
 * Which addresses of a target are followed. What a target hands out (login links, redirects, addresses of labels) is of its own
 * choice: it must not lead the harness to this machine or into the user's network, unless the target itself is there.
 */
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** How near an address is; a target may lead to addresses that are as near as its own, or farther away. */
type NetworkScope = 'public' | 'private' | 'link-local' | 'loopback';

const NETWORKS: readonly (readonly [nearness: Exclude<NetworkScope, 'public'>, networks: readonly string[]])[] = [
  // "This network" reaches the machine itself on common systems.
  ['loopback', ['127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128']],
  // Services of a cloud that give out credentials answer here.
  [
    'link-local',
    ['169.254.0.0/16', '168.63.129.16/32', '100.100.100.200/32', 'fe80::/10', 'fd00:ec2::/32', 'fd20:ce::254/128'],
  ],
  [
    'private',
    [
      ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '192.0.0.0/24', '198.18.0.0/15'],
      ...['224.0.0.0/4', '240.0.0.0/4', 'fc00::/7', 'fec0::/10', 'ff00::/8'],
    ],
  ],
];

/** What a target at such an address may lead to. */
const LEADS_TO: Readonly<Record<NetworkScope, readonly NetworkScope[]>> = {
  public: ['public'],
  private: ['public', 'private'],
  'link-local': ['public', 'private', 'link-local'],
  loopback: ['public', 'private', 'link-local', 'loopback'],
};

const lists = NETWORKS.map(([nearness, networks]) => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/');
    list.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return [nearness, list] as const;
});

/** How near an IP address is. IPv6 forms that carry an IPv4 address are as near as that one. */
export function networkScopeOf(address: string): NetworkScope {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*/s, '');
  const carried = isIP(bare) === 6 ? carriedIn(bare) : undefined;
  if (carried !== undefined) return networkScopeOf(carried);
  const family = isIP(bare) === 6 ? 'ipv6' : 'ipv4';
  return lists.find(([, list]) => list.check(bare, family))?.[0] ?? 'public';
}

/** The IPv4 address within a mapped, compatible, translated (NAT64) or 6to4 address. */
function carriedIn(address: string): string | undefined {
  const groups = groupsOf(address);
  const at = (index: number): number => groups[index] ?? 0;
  const start = groups.slice(0, 6);
  const isZeroUntil = (end: number): boolean => start.slice(0, end).every((group) => group === 0);
  const isMapped = isZeroUntil(5) && at(5) === 0xffff;
  const isCompatible = isZeroUntil(6) && (at(6) !== 0 || at(7) > 1);
  const isTranslated = at(0) === 0x64 && at(1) === 0xff9b;
  const isSiit = isZeroUntil(4) && at(4) === 0xffff && at(5) === 0;
  if (isMapped || isCompatible || isTranslated || isSiit) return dotted(at(6), at(7));
  return at(0) === 0x2002 ? dotted(at(1), at(2)) : undefined;
}

const dotted = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.');

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const hostname = URL.parse(`http://[${address}]/`)?.hostname.replace(/^\[|\]$/g, '') ?? '::';
  const [left = '', right] = hostname.split('::');
  const numbers = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [head, tail] = [numbers(left), numbers(right ?? '')];
  return [...head, ...Array<number>(Math.max(0, 8 - head.length - tail.length)).fill(0), ...tail];
}

export interface ReachOptions {
  /** Addresses that the user named: the target's own. Asked each time, since they may be known later. */
  readonly own: () => readonly string[];
  /** Names are resolved elsewhere: only addresses of numbers can be judged here. */
  readonly throughProxy?: boolean;
  /** Resolves a name; the system's way by default. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
}

/** Whether a connection may be made to an IP address. */
export type ConnectPolicy = (address: string) => boolean;

export interface Reach {
  /** Why an address is not followed, in a sentence without a full stop; `undefined` when it is. */
  refuse(url: string): Promise<string | undefined>;
  /**
   * What the same judgement says of the address that a name has when the connection is made: a name may be given another one in
   * between. `undefined` for hosts that the user named, and where names are resolved elsewhere.
   */
  guard(url: string): Promise<ConnectPolicy | undefined>;
}

/** Decides which addresses a target may lead to: its own hosts, public ones, and those in networks that it is part of. */
export function createReach({ own, throughProxy = false, resolve = resolveName }: ReachOptions): Reach {
  const networkScopesOf = async (url: string): Promise<NetworkScope[]> => {
    const { hostname } = new URL(url);
    // The parser has turned decimal, octal and hexadecimal writings of an address into the usual one.
    const bare = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
    if (isIP(bare) !== 0) return [networkScopeOf(bare)];
    if (bare === 'localhost' || bare.endsWith('.localhost')) return ['loopback'];
    if (throughProxy) return ['public'];
    const addresses = await resolve(bare).catch((): readonly string[] => []);
    return addresses.map(networkScopeOf);
  };
  /** How near an address may be that a target leads to; `undefined` for its own hosts. */
  const allowedFor = async (url: string): Promise<ReadonlySet<NetworkScope> | undefined> => {
    const { hostname } = new URL(url);
    const bases = own().filter((base) => URL.canParse(base));
    if (bases.some((base) => new URL(base).hostname === hostname)) return undefined;
    const near = (await Promise.all(bases.map(networkScopesOf))).flat();
    return new Set<NetworkScope>(['public', ...near.flatMap((one) => LEADS_TO[one])]);
  };
  return {
    async refuse(url) {
      if (!URL.canParse(url)) return undefined;
      const allowed = await allowedFor(url);
      if (allowed === undefined) return undefined;
      const refused = (await networkScopesOf(url)).find((nearness) => !allowed.has(nearness));
      return refused === undefined
        ? undefined
        : `${new URL(url).host} is a ${refused} address, and the target is not in that network: no request was sent`;
    },
    async guard(url) {
      const allowed = throughProxy || !URL.canParse(url) ? undefined : await allowedFor(url);
      return allowed === undefined ? undefined : (address) => allowed.has(networkScopeOf(address));
    },
  };
}

const resolveName = async (hostname: string): Promise<string[]> =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);
