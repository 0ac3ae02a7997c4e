/** The form of the responses of the Apps interface. */

import { isJsonObject } from '../../contracts/json/object.ts';
import { pathOf } from '../../contracts/operations/index.ts';
import { type Check, check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import type { CheckOptions, CheckTitle } from '../../harness/check/facts.ts';
import { type ServiceRequest, withPair } from '../../harness/target/client/request.ts';
import { Apps } from '../../harness/target/interfaces/apps.ts';
import { exactTextOf } from '../../harness/target/response/exact-json.ts';
import { isRefused, isServed } from '../../harness/target/response/judge-response.ts';
import { TWO_INSTALLATIONS } from '../apps/steps/options.ts';
import { languagesOf, plainSnippet, rareLanguage, type Slot, saveForRestore } from '../apps/steps/snippets.ts';
import { asText } from './delivery/bad-bodies.ts';
import {
  besideOthers,
  expectEveryForm,
  expectForm,
  type FormRule,
  type FormRuleName,
  formRule,
  MUST_CLAUSES,
} from './form.ts';
import {
  alternately,
  type RequestSample,
  refusalsOf,
  type Sample,
  type SharedSamples,
  samplesFor,
  successesOf,
} from './samples.ts';
import { expectEnvelope, refusesUnknownPaths, refusesWithEnvelope, type UnknownPaths } from './unknown-paths.ts';

const READING: Pick<CheckOptions, 'needs' | 'effects' | 'part'> = {
  needs: ['apps.apiKey', 'apps.authCode'],
  effects: 'read',
  part: 'apps',
};
const WRITING = { ...READING, effects: 'write' } as const;

/** What every installation can read. */
function servedReads(apps: Apps): RequestSample[] {
  return [
    { what: 'the user', call: apps.getUser(), clause: 'apps.user.wrapped' },
    { what: 'the website', call: apps.getWebsite(), clause: 'apps.website.wrapped' },
    { what: 'the languages', call: apps.getLanguages(), clause: 'apps.languages.array' },
    { what: 'the data', call: apps.getData(), clause: 'apps.data.object-kept' },
    { what: 'the snippet', call: apps.getSnippet(), clause: 'apps.snippet.default-kept' },
  ];
}

function served({ apps, profile }: Context): RequestSample[] {
  return [
    ...servedReads(apps),
    ...languagesNamed(profile).map((language) => ({
      what: `the snippet in ${language}`,
      call: apps.snippetIn(language),
      clause: 'apps.snippet.language-kept',
    })),
  ];
}

/** The last language of the website that the profile names: its snippet is shown by another path. */
const languagesNamed = (profile: Context['profile']): readonly string[] => profile.website?.languages?.slice(-1) ?? [];

/** Reading calls of an installation that are refused. */
function refusedReads(context: Context, apps: Apps): RequestSample[] {
  const wrongCode = new Apps(apps.key, context.nearMiss(apps.authCode));
  const wrongKey = new Apps(context.nearMiss(apps.key), apps.authCode);
  const clause = 'apps.credentials.every-read';
  return [
    ...[apps.getUser(), apps.getWebsite(), apps.getData(), apps.getSnippet(), apps.getLanguageSnippet('en')].map(
      (call) => ({
        what: `${call.path} without a key`,
        call: withPair(call, 'headers', 'authorization', undefined),
        clause,
      }),
    ),
    {
      what: 'a call without a key',
      call: withPair(apps.getLanguages(), 'headers', 'authorization', undefined),
      clause,
    },
    { what: 'a call with a wrong key', call: wrongKey.getLanguages(), clause },
    { what: 'a call without an authCode', call: withPair(apps.getLanguages(), 'query', 'authCode', undefined), clause },
    { what: 'a call with a wrong authCode', call: wrongCode.getLanguages(), clause },
    {
      what: 'a path that does not exist',
      call: apps.call('GET', `apps/${context.resources.newMark()}/`),
      clause: 'envelope.v1.unknown-path',
      strange: true,
    },
  ];
}

const titled = ({ title }: FormRule, calls: string): CheckTitle => title.replace('%', calls) as CheckTitle;

const ofReads = (id: string, rule: FormRule): Check =>
  check(
    id,
    titled(rule, 'Apps reads'),
    { clauses: [rule.clause], ...besideOthers(rule), ...READING, shares: READ_SAMPLES.name },
    async (context) => expectForm(context, rule, await samplesFor(context, rule, READ_SAMPLES)),
  );

const ofWrites = (id: string, rule: FormRule): Check =>
  check(
    id,
    titled(rule, 'Apps writes'),
    { clauses: [rule.clause], ...WRITING, shares: WRITE_SAMPLES.name },
    async (context) => expectForm(context, rule, await samplesFor(context, rule, WRITE_SAMPLES)),
  );

const READ_SAMPLES: SharedSamples = {
  name: 'responses to Apps reads',
  served: (context) => successesOf(context, served(context)),
  refused: (context) => refusalsOf(context, refusedReads(context, context.apps)),
};

const WRITE_SAMPLES: SharedSamples = {
  name: 'responses to Apps writes',
  served: async (context) => successesOf(context, servedWrites(await sameContents(context, ownSlot(context)))),
  refused: async (context) => {
    const refusals = await refusalsOf(context, refusedWrites(await sameContents(context, ownSlot(context))));
    return [...refusals, ...(await refusedLanguage(context))];
  },
};

const ownSlot = ({ apps }: Context): Slot => ({ apps, installation: 'own' });

/** Calls that change nothing: they set what an installation has already. */
interface SameContents {
  readonly data: ServiceRequest;
  readonly snippet: ServiceRequest;
  readonly finished: ServiceRequest;
}

/** Such calls; what they set is recorded in the ledger as if they changed it. */
async function sameContents(context: Context, slot: Slot): Promise<SameContents> {
  return {
    data: await setSameData(context, slot),
    snippet: slot.apps.setSnippet(await saveForRestore(context, slot)),
    finished: slot.apps.finishInstallation(),
  };
}

/** Writing calls that are served. */
function servedWrites({ data, snippet, finished }: SameContents): RequestSample[] {
  const returnsNothing = true;
  return [
    { what: 'data that are set', call: data, clause: 'apps.data.object-kept', returnsNothing },
    { what: 'a snippet that is set', call: snippet, clause: 'apps.snippet.default-kept', returnsNothing },
    // Finished once already: a service may refuse it.
    {
      what: 'an installation that is finished',
      call: finished,
      clause: 'apps.installed.completes-installation',
      returnsNothing,
    },
  ];
}

/** The same without each of their credentials. */
const refusedWrites = ({ data, snippet, finished }: SameContents): RequestSample[] => [
  ...wrongly('data set', data),
  ...wrongly('a snippet set', snippet),
  ...wrongly('an installation finished', finished),
];

/**
 * The refusal of markup for a language that the website does not have, if it is one: what repeats the markup may answer with a page.
 * The snippet of the installation is in the ledger already (`sameContents`), so that clean-up restores what a service changes here.
 */
async function refusedLanguage(context: Context): Promise<Sample[]> {
  const rare = rareLanguage(await languagesOf(context));
  const markup = plainSnippet(context.resources.newMark());
  const response = await context.send(context.apps.setSnippet(markup, rare), 'probe');
  if (isRefused(response) === 'refused') return [{ what: 'a snippet set for an unknown language', response }];
  // An empty snippet leaves nothing behind. Where it is refused, clean-up reports what is left.
  if (isServed(response)) context.given.track({ kind: 'snippet', installation: 'own', language: rare, old: null });
  return [];
}

/** A writing call without each of its credentials. */
function wrongly(what: string, call: ServiceRequest): RequestSample[] {
  const clause = 'apps.credentials.every-write';
  return [
    { what: `${what} without a key`, call: withPair(call, 'headers', 'authorization', undefined), clause },
    { what: `${what} without an authCode`, call: withPair(call, 'query', 'authCode', undefined), clause },
  ];
}

/** A call that sets the data which are there already, written down before as if it changed them. */
async function setSameData(context: Context, { apps, installation }: Slot): Promise<ServiceRequest> {
  const response = await context.send(apps.getData(), 'given');
  const old = isJsonObject(response.json) ? response.json.data : undefined;
  context.given.track({ kind: 'app-data', installation, old: old ?? null, text: exactTextOf(response.text, 'data') });
  return apps.setData(old ?? 'proofmark');
}

/** Paths that Apps does not have. */
function unknownPathsOf({ resources }: Context): string[] {
  const mark = resources.newMark();
  return [`apps/${mark}/`, `apps/${mark}/${mark}/`];
}

const UNKNOWN_PATHS: UnknownPaths = {
  of: 'Apps',
  options: READING,
  calls: (context) => unknownPathsOf(context).map((path) => context.apps.call('GET', path)),
  otherMethod: ({ apps }) => apps.call('POST', pathOf('getLanguages', {})),
  control: ({ apps }) => apps.getLanguages(),
  clause: 'apps.languages.array',
};

const malformedBody = check(
  'envelope.apps.malformed-body',
  'MUST refuse malformed Apps bodies with the error envelope',
  { clauses: ['envelope.v1.malformed-input'], ...WRITING },
  async (context) => {
    const valid = asText(await setSameData(context, ownSlot(context)));
    const { probe } = await context.expect.refuses(valid, cutShort, {
      clause: 'apps.data.object-kept',
      change: 'truncated JSON',
    });
    expectEnvelope(context, 'truncated JSON', probe);
  },
);

const badInputIs4xx = check(
  'envelope.apps.bad-input-status',
  'SHOULD refuse invalid Apps input with a 4XX instead of a 5XX',
  { clauses: ['envelope.v1.bad-input-is-4xx'], ...WRITING, shares: READ_SAMPLES.name },
  async (context) => {
    const valid = asText(await setSameData(context, ownSlot(context)));
    // Where everything is refused, nothing is refused for what was sent.
    await context.given.accepted(context.send(valid, 'control'), 'apps.data.object-kept');
    const clause = 'envelope.v1.malformed-input';
    const cut = await refusalsOf(context, [{ what: 'a body that is not JSON', call: cutShort(valid), clause }]);
    for (const { what, response } of [...cut, ...(await samplesFor(context, { of: 'refusals' }, READ_SAMPLES))]) {
      context.expect.that(response.status < 500, `${what} is reported as a failure of the service`, {
        expected: 'a 4XX status',
        actual: response.status,
        pointer: 'status',
        response,
      });
    }
  },
);

/** The call without the last character of its body. */
function cutShort(call: ServiceRequest): ServiceRequest {
  const { raw, contentType } = call.body as { raw: string; contentType: string };
  return { ...call, body: { raw: raw.slice(0, -1), contentType } };
}

/** Most services build the responses with the same code for all installations. */
const otherInstallation = check(
  'envelope.apps.other-installation',
  'MUST respond to a second installation of an app in the same form',
  { clauses: MUST_CLAUSES, additional: true, ...TWO_INSTALLATIONS },
  async (context) => {
    const { otherApps } = context;
    const same = await sameContents(context, { apps: otherApps, installation: 'other' });
    const served = [...servedReads(otherApps), ...servedWrites(same)];
    const refused = [...refusedReads(context, otherApps), ...refusedWrites(same)];
    expectEveryForm(context, await alternately(context, served, refused));
  },
);

const READS: readonly (readonly [id: string, rule: FormRuleName])[] = [
  ['envelope.apps.reading.body-is-object', 'body-is-object'],
  ['envelope.apps.reading.content-type', 'content-type'],
  ['envelope.apps.reading.success-status', 'success-status'],
  ['envelope.apps.reading.success-error', 'success-error'],
  ['envelope.apps.reading.failure-status', 'failure-status'],
  ['envelope.apps.reading.error-true', 'error-true'],
  ['envelope.apps.reading.error-code', 'error-code'],
  ['envelope.apps.reading.error-message', 'error-message'],
];

const WRITES: readonly (readonly [id: string, rule: FormRuleName])[] = [
  ['envelope.apps.writing.body-is-object', 'body-is-object'],
  ['envelope.apps.writing.content-type', 'content-type'],
  ['envelope.apps.writing.success-status', 'success-status'],
  ['envelope.apps.writing.success-envelope', 'success-envelope'],
  ['envelope.apps.writing.failure-status', 'failure-status'],
  ['envelope.apps.writing.error-true', 'error-true'],
  ['envelope.apps.writing.error-code', 'error-code'],
  ['envelope.apps.writing.error-message', 'error-message'],
];

export const checks: readonly Check[] = [
  ...READS.map(([id, rule]) => ofReads(id, formRule(rule))),
  ...WRITES.map(([id, rule]) => ofWrites(id, formRule(rule))),
  refusesUnknownPaths('envelope.apps.unknown-path', 'SHOULD refuse unknown Apps paths', UNKNOWN_PATHS),
  refusesWithEnvelope(
    'envelope.apps.unknown-path-envelope',
    'MUST refuse unknown Apps paths with the error envelope and not with a page',
    UNKNOWN_PATHS,
  ),
  malformedBody,
  badInputIs4xx,
  otherInstallation,
];
