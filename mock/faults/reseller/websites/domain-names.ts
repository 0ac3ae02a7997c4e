/** Faults that attach a domain under another name than the one that was sent. */
import type { Deviation } from '../../../types/deviation.ts';
import { API, afterwards } from '../interception.ts';

/** Stores what `change` makes of the name of a new domain. */
const stores = (change: (name: string) => string): NonNullable<Deviation['http']> =>
  afterwards(API.addDomain, ({ service }) => {
    const { domains } = service.state;
    const row = domains.all().at(-1);
    if (row !== undefined) domains.set(String(row.id), { ...row, domain: change(row.domain) });
  });

const ATTACHES = 'reseller.domain.add-attaches';
const COLUMN = 64;

export const domainNameFaults: readonly Deviation[] = [
  {
    id: 'reseller.domain-loses-first-letters-of-www',
    clause: ATTACHES,
    about: 'A name loses the letters w and the dots at its beginning, in place of a whole www.',
    http: stores((name) => name.replace(/^[w.]+/, '')),
  },
  {
    id: 'reseller.domain-loses-www-anywhere',
    clause: ATTACHES,
    about: 'The first www. of a name is left out, also in its middle.',
    http: stores((name) => name.replace('www.', '')),
  },
  {
    id: 'reseller.domain-cut-at-64',
    clause: ATTACHES,
    about: 'A name is stored in a column of 64 characters.',
    http: stores((name) => name.slice(0, COLUMN)),
  },
  {
    id: 'reseller.domain-of-two-labels',
    clause: ATTACHES,
    about: 'Of the name of a subdomain only the last two labels are stored.',
    http: stores((name) => name.split('.').slice(-2).join('.')),
  },
  {
    id: 'reseller.domain-of-three-labels',
    clause: ATTACHES,
    about: 'Of a name with four labels or more only the last three are stored.',
    http: stores((name) => name.split('.').slice(-3).join('.')),
  },
];
