/** How a response shows that it does not come from an interface of the service, but from something in front of it. */
import { isJsonObject } from '../../../contracts/json/object.ts';
import { isOutage } from '../../../harness/probe/values/base-address.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';

/** Scheme and host that a response redirects to; user names and passwords in the address are not judged. */
export function redirectOf(response: ServiceResponse): string | undefined {
  if (![301, 302, 303, 307, 308].includes(response.status) || isJsonObject(response.json)) return undefined;
  const location = response.header('location') ?? '';
  return URL.canParse(location, response.request.url) ? new URL(location, response.request.url).origin : undefined;
}

/** Why a response does not come from the interface at `base`, but from something in front of it; undefined if it may. */
export function whyNotInterface(response: ServiceResponse, api: 'v1' | 'api', base: string): string | undefined {
  const { status, contentType } = response;
  const leadsTo = redirectOf(response);
  if (leadsTo !== undefined) return redirectReason(base, api, leadsTo, status);
  if (isSignIn(response))
    return `${base} asks for a user name and password (WWW-Authenticate, status ${status}), like a gate in front of the interface: let the gate read another header than Authorization, and set that one in "headers"`;
  if (looksLikePage(response) && !isOutage(response))
    return `${base} answers with a web page (${contentType || 'no content type'}, status ${status}) where the interface returns JSON: check "${api}" in the profile, and whether a gate or login is in front of it`;
  return undefined;
}

/** A redirect to another host, or to a page of the same one, which is a sign-in page as a rule. */
function redirectReason(base: string, api: 'v1' | 'api', leadsTo: string, status: number): string {
  return new URL(base).origin === leadsTo
    ? `${base} redirects to ${leadsTo} (status ${status}), another page of the same host, as to a sign-in page: check "${api}" in the profile, and whether a gate is in front of the interface`
    : `${base} redirects to ${leadsTo} (status ${status}), where no key is sent: write the address at which the service answers itself as "${api}" in the profile`;
}

/** A gate that wants the credentials of a person; an interface that names the scheme of its keys there has its envelope. */
function isSignIn({ status, headers, json }: ServiceResponse): boolean {
  const schemes = headers.filter(([name]) => name.toLowerCase() === 'www-authenticate').map(([, value]) => value);
  const isEnvelope = isJsonObject(json) && json.error === true;
  return status === 401 && !isEnvelope && schemes.some((scheme) => /\b(?:basic|digest|negotiate|ntlm)\b/i.test(scheme));
}

/** A web page instead of an interface: markup, whatever its label. */
export function looksLikePage(response: ServiceResponse): boolean {
  if (response.json !== undefined) return false;
  const isMarkup = /^\s*<(!doctype|html|\?xml|head|body)/i.test(response.text);
  return isMarkup || (/^text\/html\b/i.test(response.contentType) && /^\s*<[a-z!]/i.test(response.text));
}
