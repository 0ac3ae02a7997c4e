/** The redaction that knows the secrets of a profile. */
import { createRedaction, type Redaction } from '../../evidence/redaction/index.ts';
import type { Profile } from '../profile/types.ts';

/** `redaction` learns them where one is given. */
export function redactionFor(profile: Pick<Profile, 'secrets'>, redaction: Redaction = createRedaction()): Redaction {
  for (const secret of profile.secrets()) redaction.add({ name: secret.name, value: secret.reveal() });
  return redaction;
}
