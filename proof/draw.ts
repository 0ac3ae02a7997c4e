/** Draws samples that are the same on every machine and in every order. */
import { createHash } from 'node:crypto';

/** Whether a text is among the one in `sample` that are drawn. */
export const isDrawn = (text: string, sample: number): boolean =>
  createHash('sha256').update(text).digest().readUInt32BE() % sample === 0;
