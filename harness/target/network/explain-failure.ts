/** Turns what went wrong on the way into a sentence: what happened, with which address, what to do. One table. */
import { NoResponse, type NoResponseAttribution } from '../client/no-response.ts';

/** Our own reasons to give up on a response. */
export class GiveUpError extends Error {
  readonly code:
    | 'TIMEOUT'
    | 'TIMEOUT_TOO_SHORT'
    | 'TOO_LARGE'
    | 'TOO_DEEP'
    | 'BAD_ENCODING'
    | 'BROKEN_OFF'
    | 'NOT_FOLLOWED';
  constructor(code: GiveUpError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** A sound target behind a long line may need as much for a new connection and a response. */
const SENSIBLE_TIMEOUT_MS = 500;

/** Whether the limit of the profile is so low that a sound target misses it. */
export const isTooShort = (timeoutMs: number): boolean => timeoutMs < SENSIBLE_TIMEOUT_MS;

/** No complete response within the time of the profile. */
export function lateResponse(timeoutMs: number): GiveUpError {
  const late = `no complete response came within ${timeoutMs / 1000} s`;
  return isTooShort(timeoutMs)
    ? new GiveUpError('TIMEOUT_TOO_SHORT', `${late}: limits.timeoutMs in the profile is too low, raise it.`)
    : new GiveUpError('TIMEOUT', `${late}: check what delays the service, or raise limits.timeoutMs in the profile.`);
}

interface Row {
  readonly codes: RegExp;
  readonly attribution: NoResponseAttribution;
  /** `host` is the host and port of the address. */
  readonly sentence: (host: string) => string;
}

const ROWS: readonly Row[] = [
  {
    codes: /^ECONNREFUSED$/,
    attribution: 'network',
    sentence: (host) =>
      `Nothing listens at ${host} (connection refused): start the service, or correct the address in the profile.`,
  },
  {
    codes: /^(ENOTFOUND|EAI_NONAME|EAI_NODATA)$/,
    attribution: 'configuration',
    sentence: (host) =>
      `The host name of ${host} is not known (DNS): correct the address in the profile, or connect to the network that knows it.`,
  },
  {
    codes: /^EAI_/,
    attribution: 'network',
    sentence: (host) =>
      `The host name of ${host} could not be resolved (no response from DNS): check the network and try again.`,
  },
  {
    codes: /^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|EHOSTDOWN|EADDRNOTAVAIL)$/,
    attribution: 'network',
    sentence: (host) => `${host} is not reachable from here: check the network, a VPN or the proxy of the profile.`,
  },
  {
    codes: /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/,
    attribution: 'network',
    sentence: (host) =>
      `${host} did not accept a connection in time: check the address, a firewall, or limits.timeoutMs in the profile.`,
  },
  {
    codes: /^CERT_HAS_EXPIRED$/,
    attribution: 'target',
    sentence: (host) => `The certificate of ${host} has expired: renew it, or correct the clock of this machine.`,
  },
  {
    codes: /^CERT_NOT_YET_VALID$/,
    attribution: 'target',
    sentence: (host) => `The certificate of ${host} is not valid yet: check its dates and the clocks.`,
  },
  {
    codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    attribution: 'configuration',
    sentence: (host) =>
      `The certificate of ${host} was issued for another name: use that name in the profile, or renew the certificate with this one.`,
  },
  {
    codes:
      /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_GET_ISSUER_CERT_LOCALLY)$/,
    attribution: 'configuration',
    sentence: (host) =>
      `The certificate of ${host} is self-signed or from an unknown authority: set the authority's PEM file as "tls.ca" in the profile, or let the service send its whole chain.`,
  },
  {
    codes: /^CERT_/,
    attribution: 'target',
    sentence: (host) =>
      `The certificate of ${host} is not accepted: check its chain, its dates and whether it was revoked.`,
  },
  {
    codes: /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW/,
    attribution: 'configuration',
    sentence: (host) =>
      `${host} speaks only versions of TLS before 1.2, which are not secure and not used here: enable TLS 1.2 or 1.3 there.`,
  },
  {
    codes: /ALERT_HANDSHAKE_FAILURE/,
    attribution: 'configuration',
    sentence: (host) =>
      `${host} refused the TLS handshake: give "tls.cert" and "tls.key" in the profile if it requires a client certificate, else enable current ciphers there.`,
  },
  {
    codes: /ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNKNOWN_CA)/,
    attribution: 'configuration',
    sentence: (host) => `${host} requires a client certificate: give "tls.cert" and "tls.key" in the profile.`,
  },
  {
    codes: /^(ERR_SSL_|EPROTO$)/,
    attribution: 'configuration',
    sentence: (host) =>
      `${host} does not speak TLS as expected: check whether the address should begin with http:// or have another port.`,
  },
  {
    codes: /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/,
    attribution: 'target',
    sentence: (host) =>
      `${host} closed the connection before a complete response: check the log of the server or of the proxy in front of it.`,
  },
  {
    codes: /^UND_ERR_RES_CONTENT_LENGTH_MISMATCH$/,
    attribution: 'target',
    sentence: (host) => `The length of a response from ${host} differs from its Content-Length.`,
  },
  {
    codes: /^(UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/,
    attribution: 'target',
    sentence: (host) => `The headers of a response from ${host} are larger than 64 KiB; it was not read completely.`,
  },
  {
    codes: /^HPE_/,
    attribution: 'target',
    sentence: (host) =>
      `What ${host} sent is not an HTTP/1.1 response: check the port, and how the service frames responses.`,
  },
  {
    codes: /^UND_ERR_(PRX_TLS|ABORTED)$/,
    attribution: 'configuration',
    sentence: (host) =>
      `The proxy of the profile did not connect to ${host}: check "proxy" and its user name and password.`,
  },
];

/** What can go wrong before a connection is there: with a proxy it is the one to the proxy. */
const BEFORE_CONNECTION =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EHOSTDOWN|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/;

/**
 * The `NoResponse` for an error of the network layer. Answers `undefined` for an error that is not a failure of the network: that
 * one is ours. `proxy` is the address of the proxy through which the request went.
 */
export function explainFailure(error: unknown, url: string, method: string, proxy?: string): NoResponse | undefined {
  const host = hostOf(url);
  if (error instanceof GiveUpError)
    return new NoResponse(
      `${method} ${host}: ${error.message}`,
      error.code === 'TIMEOUT_TOO_SHORT' ? 'configuration' : 'target',
      error,
    );
  for (const one of causesOf(error)) {
    const code = codeOf(one);
    if (/^Proxy response \(|Proxy Authentication Required/.test(one.message)) {
      return new NoResponse(
        `The proxy of the profile refused to connect to ${host} (${one.message}): check "proxy" and its user name and password.`,
        'configuration',
        error,
      );
    }
    if (isUnrequestedUpgrade(one)) {
      const sentence = `${host} answered with 101 Switching Protocols, which was not requested: check the service or the proxy in front of it.`;
      return new NoResponse(sentence, 'target', error);
    }
    if (proxy !== undefined && BEFORE_CONNECTION.test(code)) {
      const sentence = `The proxy of the profile, ${hostOf(proxy)}, can't be reached (${code}), so nothing was sent to ${host}: correct "proxy" in the profile, or remove it.`;
      return new NoResponse(sentence, 'configuration', error);
    }
    const row = ROWS.find(({ codes }) => codes.test(code));
    if (row !== undefined) return new NoResponse(row.sentence(host), row.attribution, error);
  }
  return undefined;
}

/** Whether the connection was lost before a response began, so that a request without effect may be tried again. */
export function isLostConnection(error: unknown): boolean {
  return causesOf(error).some(
    (one) => /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(codeOf(one)) && !isUnrequestedUpgrade(one),
  );
}

/** Whether no connection was made, to a target or a network that may be back in a moment: nothing was sent. */
export function isAbsent(error: unknown): boolean {
  return causesOf(error).some((one) => ABSENT.test(codeOf(one)));
}

const ABSENT = /^(ECONNREFUSED|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EHOSTDOWN)$/;

/** How undici words a response 101 to a request without `Upgrade`. */
const isUnrequestedUpgrade = (error: Error): boolean =>
  codeOf(error) === 'UND_ERR_SOCKET' && error.message === 'bad upgrade';

/** The error, its causes, and the single attempts of an aggregate. */
function causesOf(error: unknown): Error[] {
  const found: Error[] = [];
  const waiting: unknown[] = [error];
  while (waiting.length > 0 && found.length < 20) {
    const next = waiting.shift();
    if (!(next instanceof Error)) continue;
    found.push(next);
    if (next instanceof AggregateError) waiting.push(...next.errors);
    waiting.push(next.cause);
  }
  return found;
}

function codeOf(error: Error): string {
  const { code, name } = error as NodeJS.ErrnoException;
  if (name === 'HTTPParserError') return String(code ?? 'HPE_INVALID');
  return typeof code === 'string' ? code : '';
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
