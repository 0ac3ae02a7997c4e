import { type Check, check } from '../../../harness/check/check.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import { authorizeCall, Reseller } from '../../../harness/target/interfaces/reseller.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { account, login, withOwnSessions } from '../steps/login/session.ts';
import { READING } from '../steps/options.ts';

const outcome = (status: number, served: boolean): string => (served ? 'served' : `refused with ${status}`);

export const checks: readonly Check[] = [
  check(
    'reseller.calls.split-parameters-handling',
    'OBSERVES whether parameters may be divided between query and form',
    { clauses: [], observations: ['reseller.calls.split-parameters'], ...READING, exactValues: ['method'] },
    withOwnSessions(async (context) => {
      const { email, password } = account(context);
      const call = authorizeCall(email, password);
      const split: ServiceRequest = { ...call, query: [['email', email]], body: { form: [['password', password]] } };
      const authorize = await context.send(split, 'probe');
      const { token } = await login(context);
      const inQuery: ServiceRequest = {
        ...new Reseller(token).listWebsites('POST'),
        query: [['apiToken', token]],
        body: { form: [] },
      };
      const websites = await context.send(inQuery, 'probe');
      context.observe('reseller.calls.split-parameters', {
        'authorize: e-mail in the query, password in the form': outcome(authorize.status, isServed(authorize)),
        'websites by POST: token in the query, empty form': outcome(websites.status, isServed(websites)),
      });
    }),
  ),
];
