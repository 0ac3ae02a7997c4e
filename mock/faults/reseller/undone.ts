/** Refusals that roll back what an earlier call has stored, as a service does that ends the transaction of before with an error. */
import type { Deviation } from '../../types/deviation.ts';
import type { MockService } from '../../types/service.ts';
import { intercepts, memory, remembering } from '../interception.ts';
import { API } from './interception.ts';

type Http = NonNullable<Deviation['http']>;

/** What a change has to remember to be undone. */
type Undo = () => void;

/** The latest change of this kind is undone by the next refused call that is meant. */
const undoneBy = (
  isMeant: (path: string, status: number) => boolean,
  changes: RegExp,
  undoOf: (service: MockService) => Undo,
): Http =>
  remembering(() => {
    const latest = memory<{ undo?: Undo }>(() => ({}));
    const remembers = intercepts('*', changes, async ({ pass, service }) => {
      const undo = undoOf(service);
      const response = await pass();
      if (response.status === 200) latest(service).undo = undo;
      return response;
    });
    return async (request, next, service) => {
      const response = await remembers(request, next, service);
      if (!isMeant(new URL(request.url).pathname, response.status)) return response;
      const { undo } = latest(service);
      delete latest(service).undo;
      if (undo !== undefined) service.change(undo);
      return response;
    };
  });

const ofSettings = ({ state: { resellers } }: MockService): Undo => {
  const before = resellers.all();
  return () => {
    for (const { id, settings } of before) resellers.patch(String(id), { settings });
  };
};

/** A domain that was attached is detached again. */
const ofDomains = ({ state: { domains } }: MockService): Undo => {
  const before = new Set(domains.all().map(({ id }) => id));
  return () => {
    for (const { id } of domains.all()) if (!before.has(id)) domains.delete(String(id));
  };
};

const unknownWebsite = (path: string, status: number): boolean => path.startsWith('/api/website/') && status === 404;

const CLAUSE = 'envelope.reseller.refusal-changes-nothing';

export const undoneFaults: readonly Deviation[] = [
  {
    id: 'reseller.settings-undone-by-unknown-website',
    clause: CLAUSE,
    about:
      'A refused call for a website that does not exist restores the settings from before the last change of them.',
    http: undoneBy(unknownWebsite, API.setSettings, ofSettings),
  },
  {
    id: 'reseller.settings-undone-by-unknown-setting',
    clause: CLAUSE,
    about: 'A refused change of an unknown setting restores the settings from before the last change of them.',
    http: undoneBy((path, status) => API.setSettings.test(path) && status === 400, API.setSettings, ofSettings),
  },
  {
    id: 'reseller.domain-undone-by-unknown-website',
    clauses: [CLAUSE, 'reseller.domain.remove-leaves-others', 'reseller.domain.remove-own-website-only'],
    about: 'A refused call for a website that does not exist detaches the domain that was attached last.',
    http: undoneBy(unknownWebsite, API.addDomain, ofDomains),
  },
];
