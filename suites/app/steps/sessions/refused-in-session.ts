/** What a browser that the app knows, or has come to know by a forged request, must not reach by it either. */
import type { AppContext } from '../../session.ts';
import type { Alteration } from '../loads/index.ts';
import { expectProgramsVerified } from '../loads/program-loads.ts';
import type { LoadKind } from '../refusals.ts';
import { expectInstallVerifiedInSession, expectNoOtherInSession } from './in-session.ts';
import { expectKnownCodeVerified } from './known-code.ts';
import { expectNoSessionByInstall } from './session-by-install.ts';
import { expectNoSessionBySettings } from './session-by-settings.ts';

/** Asserts for each kind of load what sessions, known codes and programs must not change about a refusal. */
export async function expectRefusedInSession(context: AppContext, kind: LoadKind, forgery: Alteration): Promise<void> {
  if (kind === 'settings') {
    await expectNoOtherInSession(context, forgery);
    return expectNoSessionBySettings(context, forgery);
  }
  await expectInstallVerifiedInSession(context, kind, forgery);
  if (kind === 'first') return;
  await expectProgramsVerified(context, forgery);
  await expectKnownCodeVerified(context, forgery);
  await expectNoSessionByInstall(context, forgery);
}
