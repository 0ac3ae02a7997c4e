/** Which interface of the contract a clause belongs to: for the outline and the bars of a report. Pure. */

/** Interfaces in the order of the contract, as reports call them. */
export const INTERFACES = ['Delivery interface', 'Apps interface', 'Reseller interface', 'All interfaces'] as const;

export type InterfaceName = (typeof INTERFACES)[number];

const BY_FIRST_WORD: Readonly<Record<string, InterfaceName>> = {
  delivery: 'Delivery interface',
  labels: 'Delivery interface',
  checkout: 'Delivery interface',
  provider: 'Delivery interface',
  apps: 'Apps interface',
  app: 'Apps interface',
  install: 'Apps interface',
  settings: 'Apps interface',
  reseller: 'Reseller interface',
};

/** The interface by the beginning of a clause's id; an envelope belongs to the interface that its id names. */
export function interfaceOf(clause: string): InterfaceName {
  const [first = '', second = ''] = clause.split('.');
  return BY_FIRST_WORD[first === 'envelope' ? second : first] ?? 'All interfaces';
}
