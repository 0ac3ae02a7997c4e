/** Whose website a page of the app shows: its name, its address, the e-mail address of its user. */
import { type PageSnapshot, steady } from '../../../harness/integrator/page/page-inspection.ts';
import type { AppSession } from '../session.ts';

export interface ShownFacts {
  readonly own: boolean;
  /** A fact of the other installation. */
  readonly foreign: string | undefined;
}

/** Whether a page shows what the service says of an installation, and of another one in another website. */
export function factsShown({ counterpart }: AppSession, look: PageSnapshot, own: string, other: string): ShownFacts {
  const text = look.lines.join('\n').toLowerCase();
  const isShown = (fact: string): boolean => text.includes(steady(fact).toLowerCase());
  const ofOwn = counterpart.factsOf(own);
  return {
    own: ofOwn.some(isShown),
    foreign: counterpart.factsOf(other).find((fact) => !ofOwn.includes(fact) && isShown(fact)),
  };
}
