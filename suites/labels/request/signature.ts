/** The signature of label requests (spec: Authentication, Request signing). */
import { LABEL_REQUEST_FIELDS, SIGNATURE_FIELD, verifySignature } from '../../../contracts/signing/index.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { COMPANY_LABELS, LABELS } from '../button.ts';
import { expectField } from '../steps/fields.ts';
import { otherKeysOf } from '../steps/keys.ts';
import {
  fieldOf,
  isUndecided,
  type LabelRequest,
  received,
  requestOf,
  requestsOf,
  secondPress,
} from '../steps/orders.ts';

/** The fields of the contract: a service may add others, and repeat them. */
const FIELDS: ReadonlySet<string> = new Set([...LABEL_REQUEST_FIELDS, SIGNATURE_FIELD]);

/** Base64 of 32 bytes, in the ordinary alphabet, padded. */
const SIGNATURE = /^[A-Za-z0-9+/]{43}=$/;

export const checks: readonly Check[] = [
  check(
    'labels.request.signature-present',
    'MUST send a signature that is base64 of 32 bytes',
    { ...LABELS, clauses: ['labels.request.signature-present'] },
    async (context) => {
      for (const request of await requestsOf(context)) {
        const message = 'must send a signature that is base64 of 32 bytes';
        const holds = (value: string | undefined) => value !== undefined && SIGNATURE.test(value);
        expectField(context, request, SIGNATURE_FIELD, holds, message, '44 characters of base64');
      }
    },
  ),

  check(
    'labels.request.signature-correct',
    "MUST sign the label request with the owner's key over all values in sent order",
    { ...LABELS, clauses: ['labels.request.signature-correct'] },
    async (context) => {
      for (const request of await requestsOf(context)) expectSigned(context, request);
      const again = await repeated(context);
      if (again !== undefined) expectSigned(context, again);
    },
  ),

  check(
    'labels.request.fields-once',
    'SHOULD send each field of the label request once',
    { ...LABELS, clauses: ['labels.request.fields-once'] },
    async (context) => {
      for (const { order, fields, received: post } of await requestsOf(context)) {
        const names = fields.map(([name]) => name).filter((name) => FIELDS.has(name));
        const repeated = names.find((name, at) => names.indexOf(name) !== at);
        context.expect.that(repeated === undefined, `should send each field once (order: ${order.kind})`, {
          expected: 'one value per name, since many receivers keep one and verify the signature over those',
          actual: `${repeated} is there more than once`,
          pointer: `field ${repeated}`,
          exchange: post.exchange,
        });
      }
    },
  ),

  check(
    'labels.request.signature-of-provider',
    "MUST sign the label request of a provider's method with the provider's key",
    {
      ...COMPANY_LABELS,
      clauses: ['labels.request.signature-correct'],
    },
    async (context) => expectSigned(context, await requestOf(context, 'public')),
  ),
];

/** The label request of a second press, which the id of the first may not sign. Whether there is one is the affair of other checks. */
async function repeated(context: Context): Promise<LabelRequest | undefined> {
  try {
    return received(context, await secondPress(context));
  } catch (error) {
    if (isUndecided(error)) return undefined;
    throw error;
  }
}

/** Asserts that the signature is right, and says what was signed instead if that can be found out. */
function expectSigned(context: Context, request: LabelRequest): void {
  const { given, expect } = context;
  const { exchange } = request.received;
  const clause = 'labels.request.signature-present';
  const signature = fieldOf(request, SIGNATURE_FIELD);
  given.holds(signature !== undefined && SIGNATURE.test(signature), clause, 'a label request had no signature', {
    exchange,
  });
  const { owner } = request.order.method;
  const response = verifySignature(request.fields, owner.key.reveal(), otherKeysOf(context, owner));
  const reason = response.authentic ? '' : `: ${response.diagnosis}`;
  expect.that(response.authentic, `must sign the label request (order: ${request.order.kind})${reason}`, {
    expected: 'base64 of HMAC-SHA-256 over all values except the signature, in sent order, with the API key',
    actual: signature,
    pointer: 'field signature',
    exchange,
  });
}
