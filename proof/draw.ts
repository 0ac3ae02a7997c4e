/** Draws samples that are the same on every machine and in every order. */
import { createHash } from 'node:crypto';

/** A whole number below 2³² that depends on the text alone. */
export const numberOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE();

/** Whether a text is among the one in `sample` that are drawn. */
export const isDrawn = (text: string, sample: number): boolean => numberOf(text) % sample === 0;
