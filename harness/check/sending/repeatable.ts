/** Writes that a check can send twice. */
import { NoResponse } from '../../target/client/no-response.ts';
import type { ServiceResponse } from '../../target/client/types.ts';
import { isServed } from '../../target/response/judge-response.ts';

/**
 * Sends a write once more if its response was lost, and whether it was carried out is not known. Only for a write of which the second
 * one changes nothing more, in a check that sends so many of them that one is often lost. A refusal of the second one decides nothing
 * if the first one may be its reason: `isDone` reads whether that one was carried out; without it, it may have been.
 */
export async function againIfLost(
  send: () => Promise<ServiceResponse>,
  isDone: () => Promise<boolean> = async () => true,
): Promise<ServiceResponse> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof NoResponse && error.isLost)) throw error;
    const again = await send();
    if (!isServed(again) && (await isDone())) throw error;
    return again;
  }
}
