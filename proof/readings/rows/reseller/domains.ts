/** Silences about domains: their records and which can be attached. */

import { intercepts, memory } from '../../../../mock/faults/interception.ts';
import { bodies, parametersOf, refused } from '../../../../mock/faults/reseller/interception.ts';
import type { Reading, ReadingAnswer } from '../../reading.ts';
import { API, inTurn, leaving, ofReseller, servedAtMost } from '../demands.ts';

const ENDPOINTS = 'Endpoints, C. Reseller endpoints';

const domains = (
  id: string,
  about: string,
  isGood: (name: string) => boolean,
  undecides?: ReadingAnswer['undecides'],
): ReadingAnswer => ({
  id,
  about,
  ...leaving(undecides),
  http: ofReseller(API.addDomain, (parameters) =>
    isGood(parameters.get('domain') ?? '') ? undefined : 'This domain can not be attached.',
  ),
});

/** Removed ones count as well. */
const addedAtMost = (count: number): ReadingAnswer => ({
  id: `${count}-in-all`,
  about: `An account can attach ${count} domains in a day.`,
  http: servedAtMost(API.addDomain, count, 'Come again tomorrow.'),
});

/** Names that were attached and removed. */
const removedNames = memory(() => new Set<string>());

/** Domain names as ASCII, which is how registries write them. */
const punycode = (name: string): string =>
  URL.canParse(`http://${name}/`) ? new URL(`http://${name}/`).hostname : name;

export const domainReadings: readonly Reading[] = [
  {
    id: 'reseller.domain-form',
    section: 'Resources and their fields, Reseller domain record (C)',
    silence: 'How a domain name is written that was sent in another way.',
    answers: [
      {
        id: 'punycode',
        about: 'In ASCII.',
        domain: 'Žagars.example',
        rules: (correct) => ({
          domainRecord: (domain) => correct.domainRecord({ ...domain, domain: punycode(domain.domain) }),
        }),
      },
      {
        id: 'lower-case',
        about: 'In lower case.',
        domain: 'Check.Example',
        rules: (correct) => ({
          domainRecord: (domain) => correct.domainRecord({ ...domain, domain: domain.domain.toLowerCase() }),
        }),
      },
      {
        id: 'root-dot',
        about: 'With the dot of the root at its end.',
        rules: (correct) => ({
          domainRecord: (domain) => correct.domainRecord({ ...domain, domain: `${domain.domain}.` }),
        }),
      },
    ],
  },
  {
    id: 'reseller.built-in-domains',
    section: ENDPOINTS,
    silence: 'Which built-in domains are listed, and whether they can be removed.',
    answers: [
      {
        id: 'alias',
        about: 'Each website has a domain of the service, which can not be removed.',
        rules: bodies(['listDomains'], (body, call) => ({
          ...body,
          domains: [
            { domainID: 7_000_000 + Number(call.segments.website), domain: `s${call.segments.website}.shops.example` },
            ...(body.domains as unknown[]),
          ],
        })),
      },
      {
        id: 'www-beside',
        about: 'Each domain is listed with its www name beside it, which comes and goes with it.',
        rules: bodies(['listDomains'], (body) => ({
          ...body,
          domains: (body.domains as { domainID: number; domain: string }[]).flatMap((one) => [
            one,
            { ...one, domainID: one.domainID + 9_000_000, domain: `www.${one.domain}` },
          ]),
        })),
      },
    ],
  },
  {
    id: 'reseller.domain-demands',
    section: ENDPOINTS,
    silence: 'Which domains can be attached.',
    answers: [
      domains('tlds-only', 'Only those below .com, .lv and .example.', (name) => /\.(com|lv|example)$/i.test(name)),
      {
        ...domains('ascii-only', 'Only names in ASCII.', (name) => /^[\x21-\x7e]+$/.test(name)),
        without: ['reseller.domain-form/punycode'],
      },
      domains('lower-case', 'Only names in lower case.', (name) => name === name.toLowerCase()),
      domains('two-labels', 'Only names of two labels.', (name) => name.split('.').length === 2),
      domains('short', 'Only names of at most 30 characters.', (name) => name.length <= 30),
      ...[3, 20].map(addedAtMost),
      {
        id: 'subscription',
        about: 'Only to a website with a subscription.',
        // Where none can be started, or not as often as a run needs, no domain can be attached.
        without: ['reseller.premium-rules'],
        http: intercepts('*', API.addDomain, async ({ parts, pass, service }) =>
          service.state.websites.get(parts[0] ?? '')?.premium === null
            ? refused(402, 'Start a subscription first.')
            : pass(),
        ),
      },
      domains('own-dns-only', 'Only names whose DNS leads to the service, which none of a run does.', () => false),
      {
        id: 'never-again',
        about: 'A domain that was removed is not attached again.',
        http: inTurn(
          intercepts('*', API.removeDomain, async ({ pass, parts, service }) => {
            const domain = service.state.domains.get(parts[1] ?? '')?.domain;
            const response = await pass();
            if (response.status === 200 && domain !== undefined) removedNames(service).add(domain);
            return response;
          }),
          intercepts('*', API.addDomain, async (met) =>
            removedNames(met.service).has((await parametersOf(met)).get('domain') ?? '')
              ? refused(409, 'This name was removed.')
              : met.pass(),
          ),
        ),
      },
      {
        id: 'one-each',
        about: 'A website can have two domains.',
        http: intercepts('*', API.addDomain, async ({ parts, pass, service }) => {
          const own = service.state.domains.filter((domain) => String(domain.websiteId) === parts[0]);
          return own.length >= 2 ? refused(403, 'There are too many domains.') : pass();
        }),
      },
    ],
  },
  {
    id: 'reseller.domain-add-response',
    section: ENDPOINTS,
    silence: 'What the answer to adding a domain holds.',
    answers: [
      {
        id: 'record',
        about: 'The record.',
        rules: (correct) => ({ domainAdded: (domain) => correct.domainRecord(domain) }),
      },
      {
        id: 'wrapped',
        about: 'The record under a name.',
        rules: (correct) => ({ domainAdded: (domain) => ({ domain: correct.domainRecord(domain) }) }),
      },
      {
        id: 'list',
        about: 'A list.',
        rules: (correct) => ({ domainAdded: (domain) => ({ domains: [correct.domainRecord(domain)], ns: [] }) }),
      },
    ],
  },
];
