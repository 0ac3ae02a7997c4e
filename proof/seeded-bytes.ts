/** Seeded bytes for services, so that a failure can be repeated. */
import { createHash } from 'node:crypto';

/** A source of pseudo-random bytes: the same seed gives the same sequence. */
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
