/** The ways in which pages compute a signature wrongly: a page may accept one besides the right one, as an earlier version of it did. */
import { hmacSha256, KEYED_DIGESTS, keyVariants, WRONG_ALGORITHMS } from '../../../../contracts/signing/digests.ts';
import { type Fields, SIGNATURE_FIELD, signedMessage } from '../../../../contracts/signing/index.ts';
import { messageVariants } from '../../../../contracts/signing/mistakes.ts';

export interface WrongSignature {
  /** Ends a sentence that begins with "it would be right if". */
  readonly says: string;
  /** What is signed. */
  readonly message: string;
  readonly signature: string;
}

/**
 * Line breaks change on the way, so that a page may take a message with either; other spellings of the key are tried for each page.
 */
const LEFT_OUT = /^(?:lf-for-crlf|crlf-for-lf|fields-left-out|key-case-changed|key-empty)$/;
/** What is also signed in hexadecimal digits, as many other services do; of one field left out base64 is enough. */
const IN_BASE64_ALONE = /^(?:field-left-out|key-.*)$/;

/** One signature of these fields for each mistake that they can show: in the writing, the algorithm, the key and the message. */
export function wrongSignatures(fields: Fields, key: string): WrongSignature[] {
  const message = signedMessage(fields);
  const right = hmacSha256(key, message);
  const texts = messageVariants([...fields, [SIGNATURE_FIELD, '']], { pairs: false }).map(({ id, says, value }) => ({
    id,
    says,
    message: value.toString(),
    digest: hmacSha256(key, value),
  }));
  const keys = keyVariants(key).map(({ id, says, value }) => ({
    id,
    says,
    message,
    digest: hmacSha256(value, message),
  }));
  const algorithms = [...WRONG_ALGORITHMS, ...KEYED_DIGESTS].map(({ id, says, value }) => ({
    id,
    says,
    message,
    digest: value(Buffer.from(key), Buffer.from(message)),
  }));
  const all = [...algorithms, ...keys, ...texts].filter(
    ({ id, digest }) => !LEFT_OUT.test(id) && !digest.equals(right),
  );
  return [
    {
      says: 'it were base64 instead of hexadecimal digits in capitals',
      message,
      signature: right.toString('hex').toUpperCase(),
    },
    {
      says: 'it were base64 of the digest instead of its hexadecimal digits',
      message,
      signature: Buffer.from(right.toString('hex')).toString('base64'),
    },
    ...all.map(({ says, message, digest }) => ({ says, message, signature: digest.toString('base64') })),
    ...all
      .filter(({ id }) => !IN_BASE64_ALONE.test(id))
      .map(({ says, message, digest }) => ({
        says: `${says}, and if it were base64 instead of hexadecimal digits`,
        message,
        signature: digest.toString('hex'),
      })),
  ];
}
