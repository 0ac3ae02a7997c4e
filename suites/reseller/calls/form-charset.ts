/** Forms whose content type names their charset, as many clients send them (spec: Endpoints, C. Reseller endpoints). */
import { type Check, check } from '../../../harness/check/check.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { READING } from '../steps/options.ts';

const BY_POST = 'reseller.calls.by-post';

export const checks: readonly Check[] = [
  check(
    'reseller.calls.form-charset',
    'SHOULD read a form whose content type names its charset',
    { clauses: [BY_POST], additional: true, ...READING, exactValues: ['method'] },
    async (context) => {
      const { expect, given, send } = context;
      const call = (await context.reseller()).listWebsites('POST');
      const control = await send(call, 'control');
      given.granted(isServed(control), BY_POST, 'the list of websites is not served by POST');
      const form = call.body !== undefined && 'form' in call.body ? call.body.form : [];
      const response = await send({ ...call, body: { form, namesCharset: true } }, 'probe');
      expect.served(response, 'the list of websites should be served with the charset of its form');
    },
  ),
];
