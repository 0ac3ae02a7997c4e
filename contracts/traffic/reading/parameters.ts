/** Parameters of Reseller calls, which may be in the address, in a form, or in both (spec: Reseller endpoints). */
import type { Fields } from '../../signing/index.ts';
import { formFields } from '../form.ts';
import type { SeenExchange } from './seen.ts';

/** The parameters of a Reseller call: of its address, and of its form. */
export const parametersOf = (seen: SeenExchange): Fields => [...seen.query, ...(seen.form ?? untypedForm(seen))];

/** The fields of a body whose type was not recorded. */
function untypedForm(seen: SeenExchange): Fields {
  const { requestBody } = seen;
  if (seen.header('content-type') !== undefined || requestBody.kind !== 'text') return [];
  return formFields(requestBody.text, undefined) ?? [];
}

/** The token among the parameters: one that is not empty, where several are there. */
export function tokenOf(seen: SeenExchange): string | undefined {
  const tokens = parametersOf(seen).flatMap(([name, value]) => (name === 'apiToken' ? [value] : []));
  return tokens.find((value) => value !== '') ?? tokens[0];
}
