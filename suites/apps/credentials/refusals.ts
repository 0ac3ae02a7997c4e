/** Whom Apps serves: the app's key and an installation's code together, nothing less (spec: Authentication, B. Apps interface). */

import { isJsonObject } from '../../../contracts/json/object.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { type Probe, summary } from '../../../harness/check/expect.ts';
import type { CheckTitle } from '../../../harness/check/facts.ts';
import { atOnce } from '../../../harness/process/at-once.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { installationsOf } from '../steps/installations.ts';
import { READING } from '../steps/options.ts';
import {
  codeAsKey,
  nearMissCodes,
  nearMissKeys,
  nullCodes,
  nullKeys,
  operatorForCode,
  withoutCode,
  withoutKey,
  wrongCodes,
  wrongKeys,
} from './bad-credentials.ts';

const ACCEPTED = 'apps.credentials.accepted';

/** A refusal of a harmless request, with its control request. */
const refusal = (id: string, title: CheckTitle, probes: (context: Context) => readonly Probe[]): Check =>
  check(id, title, { clauses: [id], ...READING }, async (context) => {
    await context.expect.refusesEach(context.apps.getLanguages(), probes(context), {
      clause: ACCEPTED,
      control: 'beside',
    });
  });

const saysUnauthorized = (response: ServiceResponse): boolean =>
  response.status === 401 || (isJsonObject(response.json) && Number(response.json.error_code) === 401);

export const checks: readonly Check[] = [
  check(
    'apps.credentials.accepted',
    "MUST accept the app's key with the authCode of an installation",
    { clauses: [ACCEPTED], ...READING },
    async (context) => {
      const { send, expect, given } = context;
      const reads = installationsOf(context).flatMap(
        ([apps, owner]) =>
          [
            [apps.getLanguages(), 'languages', 'apps.languages.array', owner],
            [apps.getUser(), 'user', 'apps.user.wrapped', owner],
            [apps.getWebsite(), 'website', 'apps.website.wrapped', owner],
          ] as const,
      );
      const responses = await atOnce(
        reads.map(
          ([call]) =>
            () =>
              send(call),
        ),
      );
      for (const [at, [call, name, clause, owner]] of reads.entries()) {
        const response = responses[at]!;
        expect.served(response, `${call.path} must be served with a valid key and the valid authCode of ${owner}`);
        // A success with nothing in it may be returned to any caller.
        const holds = isJsonObject(response.json) && response.json[name] !== undefined;
        given.holds(holds, clause, `the response contains no ${name}`, { response });
      }
    },
  ),
  refusal('apps.credentials.missing-key-refused', 'MUST refuse an Apps request without a key', () => withoutKey),
  refusal(
    'apps.credentials.wrong-key-refused',
    'MUST refuse an Apps request with a key that was never issued',
    (context) => [...wrongKeys(context), ...codeAsKey(context), ...nullKeys],
  ),
  refusal(
    'apps.credentials.near-miss-key-refused',
    'MUST refuse an Apps key that differs by one character',
    nearMissKeys,
  ),
  refusal('apps.credentials.missing-auth-code-refused', 'MUST refuse an Apps request without an authCode', () => [
    ...withoutCode,
    operatorForCode,
  ]),
  refusal(
    'apps.credentials.wrong-auth-code-refused',
    'MUST refuse an Apps request with an authCode that was never issued',
    (context) => [...wrongCodes(context), ...nullCodes],
  ),
  refusal(
    'apps.credentials.near-miss-auth-code-refused',
    'MUST refuse an authCode that differs by one character',
    nearMissCodes,
  ),
  check(
    'apps.credentials.code-401',
    'SHOULD refuse wrong Apps credentials with error code 401',
    { clauses: ['apps.credentials.code-401'], ...READING },
    async (context) => {
      const { apps, send, given, expect } = context;
      await given.promised(send(apps.getLanguages(), 'control'), ACCEPTED);
      const probes = [
        [withoutKey[0]!, 'apps.credentials.missing-key-refused'],
        [wrongKeys(context)[0]!, 'apps.credentials.wrong-key-refused'],
        [withoutCode[0]!, 'apps.credentials.missing-auth-code-refused'],
        [wrongCodes(context)[0]!, 'apps.credentials.wrong-auth-code-refused'],
      ] as const;
      const responses = await atOnce(
        probes.map(([{ change, mutate }, clause]) => () => {
          const probe = send(mutate(apps.getLanguages()), 'probe');
          return given.refused(probe, clause, `a call with ${change} was not refused`);
        }),
      );
      for (const [at, [{ change }]] of probes.entries()) {
        const response = responses[at]!;
        expect.that(
          saysUnauthorized(response),
          `a call with ${change} should be refused with 401, as status or error_code`,
          {
            expected: 401,
            actual: summary(response),
            response,
          },
        );
      }
    },
  ),
];
