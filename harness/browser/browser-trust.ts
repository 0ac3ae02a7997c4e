/** Which certificates the browser takes: those that it can verify, those of this machine, and those that this run has made. */
import { createHash, X509Certificate } from 'node:crypto';
import { isLoopbackHost } from '../target/profile/index.ts';

/** The digest by which Chromium knows a public key that it is to trust. */
export function publicKeyDigest(certificate: string): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}

/** Whether all addresses are of this machine, where no other party can intercept; false for an empty list. */
export function areLocalAddresses(addresses: readonly string[]): boolean {
  return addresses.length > 0 && addresses.every((address) => isLoopbackHost(URL.parse(address)?.hostname ?? ''));
}

/** What to do about an error of the browser, when a certificate is the reason; else `undefined`. */
export function explainCertificateError(error: unknown): string | undefined {
  // Any value can be thrown, even one whose properties throw when they are read.
  const text = error instanceof Error ? error.message : '';
  const [, code] = /net::(ERR_CERT_\w+|ERR_SSL_\w+)/.exec(text) ?? [];
  if (code === undefined) return undefined;
  return `the browser does not accept the certificate of the page (${code}): tls.ca of a profile and --ca apply to Proofmark's own requests, not to the browser; add the authority to the browser's own store (on Linux: certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n NAME -i FILE)`;
}
