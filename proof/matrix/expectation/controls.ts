/**
 * Six services that do not keep the contract at all. The checks that pass on each are listed here, and a list that is out of date
 * fails the selftest: on five of them only the form of responses can be correct.
 */
import type { ExpectedPasses } from './judge.ts';

type Serve = (request: Request) => Promise<Response>;

export interface Control {
  readonly id: string;
  readonly about: string;
  /** Answers; `correct` is the embedded service behind it. */
  readonly response: (request: Request, correct: Serve) => Promise<Response>;
  readonly passes: ExpectedPasses;
}

const json = (body: unknown, status = 200): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json' },
  });

/** Both envelopes at once, so that it fits both interfaces. */
const refusal = (code: number, message: string): object => ({
  error: true,
  error_code: code,
  error_message: message,
  errorCode: code,
  errorMsg: message,
});

/** Checks that ask for a refusal, or for its form, and so must not pass where everything is accepted. */
const REFUSALS: readonly string[] = [
  'delivery.credentials.missing-key-refused',
  'delivery.credentials.wrong-key-refused',
  'delivery.credentials.near-miss-key-refused',
  'delivery.credentials.code-401',
  'delivery.credentials.provider-key-limits-lists',
  'delivery.credentials.provider-key-deletes-methods',
  'delivery.credentials.other-store-keeps-methods',
  'delivery.credentials.other-store-keeps-points',
  'delivery.existing.reads-need-key',
  'delivery.existing.other-owners',
  // A second store is one only where a key that was never issued is refused.
  'delivery.credentials.other-store-every-form',
  'delivery.credentials.every-read',
  'delivery.credentials.every-write',
  'delivery.method.unknown-read-refused',
  'delivery.method.unknown-not-updated',
  // The service refuses one of its ids, so a target that accepts it without storing it fails.
  'delivery.point.id-kept',
  'delivery.point.unknown-read-refused',
  'delivery.point.unknown-not-updated',
  'delivery.point.unknown-method-refused',
  'delivery.multilanguage.only-website-languages',
  'delivery.owner.methods-not-listed',
  'delivery.owner.methods-not-readable',
  'delivery.owner.methods-not-changeable',
  'delivery.owner.methods-not-deletable',
  'delivery.owner.points-not-readable',
  'delivery.owner.points-not-addable',
  'delivery.owner.points-not-changeable',
  'delivery.owner.points-not-deletable',
  'delivery.owner.points-not-replaceable',
  'delivery.owner.uploads-not-continued',
  'delivery.owner.foreign-handle-beside-own',
  'delivery.owner.calls-at-once',
  'delivery.settings.providers-only',
  'delivery.batch.refuses-101-points',
  'delivery.batch.refuses-101-points-in-a-portion',
  'delivery.batch.refused-list-changes-nothing',
  'apps.credentials.missing-key-refused',
  'apps.credentials.wrong-key-refused',
  'apps.credentials.near-miss-key-refused',
  'apps.credentials.missing-auth-code-refused',
  'apps.credentials.wrong-auth-code-refused',
  'apps.credentials.near-miss-auth-code-refused',
  'apps.credentials.code-401',
  'apps.credentials.every-website-read',
  'apps.credentials.every-content-read',
  'apps.credentials.every-write',
  'apps.isolation.refusal-changes-nothing',
  'reseller.account.nothing-else-changes-sessions',
  'reseller.account.nothing-else-changes-password',
  'reseller.account.refused-site-status',
  'reseller.account.refused-premium',
  'reseller.account.refused-login-link',
  'reseller.account.refused-domains',
  'reseller.account.refused-settings',
  'reseller.authorize.wrong-password-refused',
  'reseller.authorize.wrong-email-refused',
  'reseller.logout.invalidates',
  'reseller.website.unknown-refused',
  'reseller.login.link',
  'reseller.token.missing-refused',
  'reseller.token.wrong-refused',
  'reseller.token.near-miss-refused',
  'reseller.token.not-a-foreign-key',
  'reseller.token.not-a-delivery-key',
  'reseller.token.not-an-app-key',
  'reseller.token.not-an-auth-code',
  'reseller.token.every-read',
  'reseller.token.code-401',
  'reseller.token.login-link-refuses',
  'reseller.token.site-status-refuses',
  'reseller.token.premium-refuses',
  'reseller.token.domain-add-refuses',
  'reseller.token.domain-removal-refuses',
  'reseller.token.settings-refuses',
  'reseller.calls.sessions-by-get',
  'reseller.calls.sessions-by-post',
  'reseller.password.old-refused',
  'reseller.token.password-refuses',
  'envelope.delivery.other-store',
  'envelope.delivery.provider',
  'envelope.delivery.reading.body-is-object',
  'envelope.delivery.reading.content-type',
  'envelope.delivery.reading.failure-status',
  'envelope.delivery.reading.error-true',
  'envelope.delivery.reading.error-code',
  'envelope.delivery.reading.error-message',
  'envelope.delivery.writing.body-is-object',
  'envelope.delivery.writing.content-type',
  'envelope.delivery.writing.failure-status',
  'envelope.delivery.writing.error-true',
  'envelope.delivery.writing.error-code',
  'envelope.delivery.writing.error-message',
  'envelope.delivery.unknown-path',
  'envelope.delivery.unknown-path-envelope',
  'envelope.delivery.undecodable-path',
  'envelope.delivery.malformed-body',
  'envelope.delivery.refusal-changes-nothing',
  'envelope.apps.other-installation',
  'envelope.apps.reading.body-is-object',
  'envelope.apps.reading.content-type',
  'envelope.apps.reading.failure-status',
  'envelope.apps.reading.error-true',
  'envelope.apps.reading.error-code',
  'envelope.apps.reading.error-message',
  'envelope.apps.writing.body-is-object',
  'envelope.apps.writing.content-type',
  'envelope.apps.writing.failure-status',
  'envelope.apps.writing.error-true',
  'envelope.apps.writing.error-code',
  'envelope.apps.writing.error-message',
  'envelope.apps.unknown-path',
  'envelope.apps.unknown-path-envelope',
  'envelope.apps.malformed-body',
  'envelope.apps.bad-input-status',
  'envelope.reseller.body-is-object',
  'envelope.reseller.json-content-type',
  'envelope.reseller.error-true',
  'envelope.reseller.error-code-integer',
  'envelope.reseller.error-message-string',
  'envelope.reseller.unknown-path',
  'envelope.reseller.unknown-path-envelope',
  'envelope.reseller.failure-status',
  'envelope.reseller.refused-settings-change-nothing',
  'envelope.reseller.refused-domain-calls-change-nothing',
];

/** If all calls are refused with the correct envelope, the form of refusals is correct. */
const FORM_OF_REFUSALS: readonly string[] = [
  'envelope.delivery.reading.failure-status',
  'envelope.delivery.reading.error-true',
  'envelope.delivery.reading.error-code',
  'envelope.delivery.reading.error-message',
  'envelope.delivery.undecodable-path',
  'envelope.apps.reading.failure-status',
  'envelope.apps.reading.error-true',
  'envelope.apps.reading.error-code',
  'envelope.apps.reading.error-message',
];

/** If all calls are answered with status 200, every success has the correct status. */
const FORM_OF_SUCCESSES: readonly string[] = [
  'apps.installed.empty-json-body',
  'envelope.apps.reading.success-error',
  'envelope.apps.reading.success-status',
  'envelope.apps.writing.success-status',
];

export const controls: readonly Control[] = [
  {
    id: 'control.rejects-everything',
    about: 'Refuses every call with 401 and the right envelope.',
    response: async () => json(refusal(401, 'Unauthorized'), 401),
    passes: { only: FORM_OF_REFUSALS },
  },
  {
    id: 'control.accepts-everything',
    about: 'Serves valid calls and accepts all that it should refuse.',
    response: async (request, correct) => {
      const response = await correct(request);
      return response.status < 400 ? response : json({ error: false });
    },
    // It works: only checks that expect a refusal have to fail.
    passes: { allBut: REFUSALS },
  },
  {
    id: 'control.empty-object',
    about: 'Answers {} to every call.',
    response: async () => json({}),
    passes: { only: FORM_OF_SUCCESSES },
  },
  {
    id: 'control.error-false',
    about: 'Answers the success envelope to every call and does nothing.',
    response: async () => json({ error: false }),
    passes: { only: [...FORM_OF_SUCCESSES, 'envelope.apps.writing.success-envelope'] },
  },
  {
    id: 'control.echo',
    about: 'Answers every call with its own body, or with its parameters.',
    response: async (request) => {
      const body = await request.text();
      return json(body === '' ? Object.fromEntries(new URL(request.url).searchParams) : body);
    },
    passes: { only: FORM_OF_SUCCESSES },
  },
  {
    id: 'control.fails-always',
    about: 'Answers 500 with the error envelope to every call.',
    response: async () => json(refusal(500, 'Internal error'), 500),
    passes: { only: FORM_OF_REFUSALS },
  },
];
