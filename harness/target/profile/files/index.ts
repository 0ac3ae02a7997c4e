/** The files that a profile names: found from the folder of the profile, read and checked when the profile is. */

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { whyUnusable } from '../../../process/file-error.ts';
import { Secret } from '../../secrets/secret.ts';
import type { Fields, ReportProblem } from '../shape/parts.ts';
import type { Tls } from '../types.ts';

/** Why a file can't be read, as the end of a sentence without its stop. */
export const whyUnreadable = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'the file does not exist' : whyUnusable(error);

/** The certificates and the key, in PEM. What OpenSSL can't read is found here, and not in the first request. */
export function tlsOf(part: Fields | undefined, folder: string, complain: ReportProblem): Tls | undefined {
  if (part === undefined) return undefined;
  const pem = (name: 'ca' | 'cert' | 'key'): string | undefined => {
    const path = part.text(name);
    const file = fileOf(path, folder);
    if (path === undefined || file === undefined) return undefined;
    if (path.includes('-----BEGIN')) {
      complain(
        `tls.${name}`,
        `"tls.${name}" contains a certificate or key: save it in a file, and write the path here.`,
      );
      return undefined;
    }
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      complain(`tls.${name}`, `The file ${file} can't be read: ${whyUnreadable(error)}.`);
      return undefined;
    }
  };
  const [ca, cert, key] = [pem('ca'), pem('cert'), pem('key')];
  const own = certificateOf('cert', cert, complain);
  const privateKey = keyOf(key, complain);
  certificateOf('ca', ca, complain);
  if ((part.text('key') === undefined) !== (part.text('cert') === undefined))
    complain('tls', '"tls.cert" and "tls.key" belong together: give both or none.');
  if (own !== undefined && privateKey !== undefined && !own.checkPrivateKey(privateKey))
    complain(
      'tls.key',
      '"tls.key" does not belong to the certificate of "tls.cert": give the key with which it was made.',
    );
  return { ca, cert, key: key === undefined ? undefined : new Secret('TLS_KEY', key) };
}

function certificateOf(
  name: 'ca' | 'cert',
  text: string | undefined,
  complain: ReportProblem,
): X509Certificate | undefined {
  if (text === undefined) return undefined;
  try {
    return new X509Certificate(text);
  } catch {
    const what = text.includes('-----BEGIN ')
      ? text.includes('PRIVATE KEY') && !text.includes('CERTIFICATE')
        ? 'contains a private key'
        : 'contains a certificate that is damaged'
      : 'is not a PEM file: it has no "-----BEGIN" line';
    complain(`tls.${name}`, `The file of "tls.${name}" ${what}: give one with a certificate in PEM.`);
    return undefined;
  }
}

function keyOf(text: string | undefined, complain: ReportProblem): KeyObject | undefined {
  if (text === undefined) return undefined;
  try {
    return createPrivateKey(text);
  } catch {
    const isLocked = /ENCRYPTED/.test(text);
    const what = isLocked
      ? 'is locked with a passphrase: write a copy without it'
      : 'has no private key in PEM: give one that has';
    complain('tls.key', `The file of "tls.key" ${what}.`);
    return undefined;
  }
}

/** A path of the profile, from the profile's folder. */
export const fileOf = (path: string | undefined, folder: string): string | undefined =>
  path === undefined ? undefined : resolve(folder, path);
