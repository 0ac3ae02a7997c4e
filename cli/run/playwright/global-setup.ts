/** Playwright's global setup: opens the session of this process. What it returns is the global teardown. */
import { settingsOf } from '../../../harness/runner/settings.ts';
import { describeError } from '../../common/failure.ts';
import { handOverError } from './hand-over.ts';
import { openSession } from './session.ts';

export default async function globalSetup(): Promise<() => Promise<void>> {
  const settings = settingsOf();
  try {
    const session = await openSession(settings);
    return () => session.close();
  } catch (error) {
    handOverError(settings, error);
    const { message } = describeError(error);
    const described = new Error(settings.handOver === undefined ? inWordsOfPlaywright(message) : message);
    // The sentence says what to do; where it was thrown does not.
    described.stack = described.message;
    throw described;
  }
}

/** Under `npx playwright test` variables and the config take the place of our options. */
function inWordsOfPlaywright(message: string): string {
  return message.replace(/(?<!\S)--(target|out)\b/g, (_flag, name: string) => {
    const variable = `PROOFMARK_${name.toUpperCase()}`;
    return process.env[variable] ? variable : `"${name}" of the Playwright config`;
  });
}
