/** The form of the responses of the Apps interface. */
import { pathOf } from '../../contracts/operations/index.ts';
import { type Check, check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import type { CheckOptions, CheckTitle } from '../../harness/check/facts.ts';
import { type ServiceRequest, withPair } from '../../harness/target/client/request.ts';
import { Apps } from '../../harness/target/interfaces/apps.ts';
import { isObject, isRefused, isServed } from '../../harness/target/response/judge-response.ts';
import { defaultSlot, languagesOf, plainSnippet, rareLanguage, saveForRestore } from '../apps/steps/snippets.ts';
import { asText } from './delivery/bad-bodies.ts';
import { besideOthers, expectForm, type FormRule, type FormRuleName, formRule } from './form.ts';
import { type RequestSample, refusalsOf, type Sample, type SharedSamples, samplesFor, successesOf } from './samples.ts';
import { expectEnvelope, refusesUnknownPaths, refusesWithEnvelope, type UnknownPaths } from './unknown-paths.ts';

const READING: Pick<CheckOptions, 'needs' | 'effects' | 'part'> = {
  needs: ['apps.apiKey', 'apps.authCode'],
  effects: 'read',
  part: 'apps',
};
const WRITING = { ...READING, effects: 'write' } as const;

function served({ apps, profile }: Context): RequestSample[] {
  return [
    { what: 'the user', call: apps.getUser(), clause: 'apps.user.wrapped' },
    { what: 'the website', call: apps.getWebsite(), clause: 'apps.website.wrapped' },
    { what: 'the languages', call: apps.getLanguages(), clause: 'apps.languages.array' },
    { what: 'the data', call: apps.getData(), clause: 'apps.data.object-kept' },
    { what: 'the snippet', call: apps.getSnippet(), clause: 'apps.snippet.default-kept' },
    ...languagesNamed(profile).map((language) => ({
      what: `the snippet in ${language}`,
      call: apps.snippetIn(language),
      clause: 'apps.snippet.language-kept',
    })),
  ];
}

/** The last language of the website that the profile names: its snippet is shown by another path. */
const languagesNamed = (profile: Context['profile']): readonly string[] => profile.website?.languages?.slice(-1) ?? [];

function refused(context: Context): RequestSample[] {
  const { apps } = context;
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
  refused: (context) => refusalsOf(context, refused(context)),
};

const WRITE_SAMPLES: SharedSamples = {
  name: 'responses to Apps writes',
  served: async (context) => {
    const returnsNothing = true;
    return successesOf(context, [
      { what: 'data that are set', call: await setSameData(context), clause: 'apps.data.object-kept', returnsNothing },
      {
        what: 'a snippet that is set',
        call: await setSameSnippet(context),
        clause: 'apps.snippet.default-kept',
        returnsNothing,
      },
      // Finished once already: a service may refuse it.
      {
        what: 'an installation that is finished',
        call: context.apps.finishInstallation(),
        clause: 'apps.installed.completes-installation',
        returnsNothing,
      },
    ]);
  },
  refused: async (context) => {
    const refusals = await refusalsOf(context, [
      ...wrongly('data set', await setSameData(context)),
      ...wrongly('a snippet set', await setSameSnippet(context)),
      ...wrongly('an installation finished', context.apps.finishInstallation()),
    ]);
    return [...refusals, ...(await refusedLanguage(context))];
  },
};

/**
 * The refusal of markup for a language that the website does not have, if it is one: what repeats the markup may answer with a page.
 * The snippet of the installation is in the ledger already (`setSameSnippet`), so that clean-up restores what a service changes here.
 */
async function refusedLanguage(context: Context): Promise<Sample[]> {
  const rare = rareLanguage(await languagesOf(context));
  const markup = plainSnippet(context.resources.newMark());
  const response = await context.send(context.apps.setSnippet(markup, rare), 'probe');
  if (isRefused(response) === 'refused') return [{ what: 'a snippet set for an unknown language', response }];
  // An empty snippet leaves nothing behind.
  if (isServed(response)) await context.send(context.apps.setSnippet('', rare), 'probe');
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

/** A call that sets the snippet to its current value, recorded in the ledger as if it changed it. */
async function setSameSnippet(context: Context): Promise<ServiceRequest> {
  return context.apps.setSnippet(await saveForRestore(context, defaultSlot(context)));
}

/** A call that sets the data which are there already, written down before as if it changed them. */
async function setSameData(context: Context): Promise<ServiceRequest> {
  const response = await context.send(context.apps.getData(), 'given');
  const old = isObject(response.json) ? response.json.data : undefined;
  context.given.track({ kind: 'app-data', installation: 'own', old: old ?? null });
  return context.apps.setData(old ?? 'proofmark');
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
    const valid = asText(await setSameData(context));
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
  { clauses: ['envelope.v1.bad-input-is-4xx'], ...WRITING },
  async (context) => {
    const valid = asText(await setSameData(context));
    // Where everything is refused, nothing is refused for what was sent.
    await context.given.accepted(context.send(valid, 'control'), 'apps.data.object-kept');
    const calls: RequestSample[] = [
      { what: 'a body that is not JSON', call: cutShort(valid), clause: 'envelope.v1.malformed-input' },
      ...refused(context),
    ];
    for (const { what, response } of await refusalsOf(context, calls)) {
      context.expect.that(response.status < 500, `${what} is reported as a failure of the service`, {
        expected: 'a 4XX status',
        actual: response.status,
        pointer: 'status',
        response: response,
      });
    }
  },
);

/** The call without the last character of its body. */
function cutShort(call: ServiceRequest): ServiceRequest {
  const { raw, contentType } = call.body as { raw: string; contentType: string };
  return { ...call, body: { raw: raw.slice(0, -1), contentType } };
}

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
];
