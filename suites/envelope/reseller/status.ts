/** The status of Reseller responses (spec: Errors). */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Probe } from '../../../harness/check/expect.ts';
import { atOnce } from '../../../harness/process/at-once.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { attached, domainsAt, runDomain } from '../../reseller/steps/domains.ts';
import { oneOfEach } from '../../reseller/steps/login/bad-tokens.ts';
import { website } from '../../reseller/steps/login/session.ts';
import { DOMAINS, READING, SETTINGS } from '../../reseller/steps/options.ts';
import { settingsOf } from '../../reseller/steps/records.ts';
import { differing, givenQuietSettings, set, settable } from '../../reseller/steps/settings.ts';
import { refusals, SHARED, successes, UNKNOWN_ID } from './responses.ts';

const REFUSED_CHANGES_NOTHING = 'envelope.reseller.refusal-changes-nothing';

/** By its status alone: what the envelope says is not asked here. */
const isRefusal = ({ status }: ServiceResponse): boolean => status >= 400 && status <= 599;

export const checks: readonly Check[] = [
  check(
    'envelope.reseller.success-status',
    'MUST respond to successful Reseller calls with status 200',
    { clauses: ['envelope.reseller.success-status'], ...READING, shares: SHARED },
    async (context) => {
      for (const { what, response } of await successes(context)) {
        context.expect.that(response.status === 200, `the response to ${what} must have status 200`, {
          expected: 200,
          actual: response.status,
          pointer: 'status',
          response,
        });
      }
    },
  ),
  check(
    'envelope.reseller.failure-status',
    'MUST respond to unsuccessful Reseller calls with a 4XX or 5XX status',
    { clauses: ['envelope.reseller.failure-status'], ...READING, shares: SHARED },
    async (context) => {
      for (const { what, response } of await refusals(context)) {
        context.expect.that(isRefusal(response), `the response to ${what} must have a 4XX or 5XX status`, {
          expected: 'a status of 400 to 599',
          actual: response.status,
          pointer: 'status',
          response,
        });
      }
    },
  ),
  check(
    'envelope.reseller.refused-settings-change-nothing',
    'MUST NOT change a setting when a request is refused',
    { clauses: [REFUSED_CHANGES_NOTHING], ...SETTINGS },
    async (context) => {
      const { given, send, expect } = context;
      const setting = await settable(context);
      const before = (await settingsOf(context)).settings;
      const unchanged = async (what: string, response: ServiceResponse): Promise<void> => {
        const after = (await settingsOf(context)).settings;
        await givenQuietSettings(context, differing(before, after));
        expect.equal(differing(before, after), [], `${what} must leave all settings as they were`, {
          response,
        });
      };
      const reseller = await context.reseller();
      const clause = 'reseller.token.every-write';
      const refused = (probe: Probe) => async () => {
        const what = `a change with ${probe.change}`;
        const sent = send(probe.mutate(reseller.changeSettings([setting])), 'probe');
        const response = await given.refused(sent, clause, `${what} was not refused`);
        given.granted(isRefusal(response), clause, 'a refusal has a status other than 4XX or 5XX', { response });
        return [`${what}, which is refused,`, response] as const;
      };
      const probes = (await oneOfEach(context)).map(refused);
      // Neither of them can make good what the other one does.
      if (context.explains) for (const send of probes) await unchanged(...(await send()));
      else await unchanged(...(await atOnce(probes)).at(-1)!);
      // One setting that may be changed beside one that does not exist: where that is refused, it is refused whole.
      const mixed = await set(context, [setting, ['proofmarkSetting', '']]);
      if (isRefusal(mixed)) await unchanged('a change that names an unknown setting, which is refused,', mixed);
    },
  ),
  check(
    'envelope.reseller.refused-domain-calls-change-nothing',
    'MUST NOT change a domain when a request is refused',
    { clauses: [REFUSED_CHANGES_NOTHING], ...DOMAINS },
    async (context) => {
      const { expect, given, send } = context;
      const own = [website(context)];
      const id = await attached(context);
      let before = await domainsAt(context, own);
      const unchanged = async (what: string, response: ServiceResponse): Promise<void> =>
        expect.equal(await domainsAt(context, own), before, `${what} must leave the domains as they were`, {
          response,
        });

      const reseller = await context.reseller();
      const [noToken] = await oneOfEach(context);
      const withoutToken = async () => {
        const what = 'a removal without a token';
        const clause = 'reseller.token.every-write';
        const sent = send(noToken!.mutate(reseller.removeDomain(own[0]!, id)), 'probe');
        const response = await given.refused(sent, clause, `${what} was not refused`);
        given.granted(isRefusal(response), clause, 'a refusal has a status other than 4XX or 5XX', { response });
        return { what, response };
      };
      // Whether these are refused is the service's affair; those that are must do nothing. One call each: a second one, by the
      // other way, could make good what the first has done.
      const unknown = async () => ({
        what: 'removing a domain that does not exist',
        response: await send(reseller.removeDomain(own[0]!, UNKNOWN_ID), 'probe'),
      });
      const again = async () => ({
        what: 'adding a domain that is attached already',
        response: await send(reseller.addDomain(own[0]!, runDomain(context)), 'probe'),
      });
      const judge = async (all: readonly { readonly what: string; readonly response: ServiceResponse }[]) => {
        for (const { what, response } of all)
          if (!isServed(response)) await unchanged(`${what}, which is refused,`, response);
        // A domain that may be attached twice may be listed twice.
        if (all.some(({ response }) => isServed(response))) before = await domainsAt(context, own);
      };
      // One removal can't make good what another one does.
      if (context.explains) for (const send of [withoutToken, unknown]) await judge([await send()]);
      else await judge(await atOnce([withoutToken, unknown]));
      await judge([await again()]);
    },
  ),
];
