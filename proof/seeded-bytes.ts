/** Bytes for services of a proof: what failed once with a seed fails again. */
import { createHash } from 'node:crypto';

/** A source of bytes that look random and are the same for the same seed, in the order in which they are asked for. */
export function seededBytes(seed: string): (bytes: number) => Buffer {
  let count = 0;
  return (bytes) => {
    const parts: Buffer[] = [];
    for (let length = 0; length < bytes; length += 32) {
      count += 1;
      parts.push(createHash('sha256').update(`${seed}:${count}`).digest());
    }
    return Buffer.concat(parts).subarray(0, bytes);
  };
}
