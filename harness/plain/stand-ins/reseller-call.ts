/** Reseller calls in plain values: settings, the temporary password, and the method of HTTP. Names and tokens stay as they are. */
import { type CallBody, fitsInQuery, type Pairs, type ServiceRequest } from '../../target/client/request.ts';
import { Secret } from '../../target/secrets/secret.ts';

export interface ResellerStandIns {
  /** Whether the call keeps the method that the check chose. */
  readonly keepsMethod: boolean;
  /** Whether the target seems to take only this one of GET and POST on a path. */
  readonly takesOnly?: ((method: 'GET' | 'POST', path: string) => boolean) | undefined;
  /** The temporary password of the run, with a plainer one. */
  readonly password?: readonly [own: Secret, plain: Secret] | undefined;
  /** The plain form of a text. */
  readonly text: (own: string) => string;
}

/** The call in plain values, by the other one of GET and POST if the target seems to take only that. */
export function plainResellerCall(call: ServiceRequest, standIns: ResellerStandIns): ServiceRequest {
  const sent = withPlainValues(call, standIns);
  const { keepsMethod, takesOnly = () => false } = standIns;
  const other = sent.method === 'POST' ? 'GET' : 'POST';
  return keepsMethod || !takesOnly(other, sent.path) ? sent : (byOtherMethod(sent) ?? sent);
}

/** The same parameters by the other method, in the place for them; undefined if they do not fit there. */
function byOtherMethod(call: ServiceRequest): ServiceRequest | undefined {
  const { body, ...others } = call;
  if (call.method !== 'POST')
    return body === undefined ? { ...others, method: 'POST', query: [], body: { form: call.query } } : undefined;
  if (call.query.length > 0 || body === undefined || !('form' in body) || !fitsInQuery(body.form)) return undefined;
  return { ...others, method: 'GET', query: body.form };
}

function withPlainValues(call: ServiceRequest, { password, text }: ResellerStandIns): ServiceRequest {
  const [own, plain] = password ?? [];
  if (/^(password|authorize)\/$/.test(call.path) && own !== undefined && plain !== undefined)
    return withPairs(call, ([, value]) => (value instanceof Secret && value.reveal() === own.reveal() ? plain : value));
  if (call.path === 'settings/set/')
    return withPairs(call, ([name, value]) =>
      name === 'apiToken' || value instanceof Secret || HAS_FIXED_FORM.test(name) ? value : text(value),
    );
  return call;
}

/** Settings whose values have a form: addresses, numbers and codes stay as the check chose them. */
const HAS_FIXED_FORM = /(Link|Website|Email|Phone|Country)$/;

type Pair = Pairs[number];

function withPairs(call: ServiceRequest, newValue: (pair: Pair) => Pair[1]): ServiceRequest {
  const change = (pairs: Pairs): Pairs => pairs.map((pair) => [pair[0], newValue(pair)]);
  const body: CallBody | undefined =
    call.body !== undefined && 'form' in call.body ? { form: change(call.body.form) } : call.body;
  return { ...call, query: change(call.query), ...(body === undefined ? {} : { body }) };
}
