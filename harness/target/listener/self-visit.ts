/** Whether the address under which others reach the harness leads to it: asked by visiting it. */
import { randomUUID } from 'node:crypto';
import type { Listener } from './index.ts';

/** Why the address of the listener does not lead to it, in a few words; undefined when it does. */
export async function whyNotLeadingHere(listener: Listener, timeoutMs: number): Promise<string | undefined> {
  const response = randomUUID();
  const address = listener.serve(`visit-${response}`, () => ({ body: response }));
  const { text, problem } = await visit(address, timeoutMs);
  return text === response ? undefined : problem;
}

async function visit(address: string, timeoutMs: number): Promise<{ text?: string; problem: string }> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' });
    const text = await response.text();
    return { text, problem: `status ${response.status}, something else responds there` };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: unknown };
    return { problem: cause instanceof Error && cause.message !== '' ? cause.message : message };
  }
}
