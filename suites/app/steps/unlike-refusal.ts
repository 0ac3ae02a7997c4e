/** Loads that a program requests, of which an app may serve what it should refuse: only those are worth a whole user flow in a browser. */
import { unlikeRefusal } from '../../../harness/integrator/fetch/unlike-refusal.ts';
import type { AppContext, AppSession } from '../session.ts';
import type { Alteration } from './loads/index.ts';
import { load } from './loads/plain-loads.ts';

/** The address of one more authentic load. */
export type NextLoad = (session: AppSession) => string;

export const nextFirst: NextLoad = ({ counterpart }) => counterpart.beginInstall().url;

/** One more installation that its user has agreed to. */
export const nextSecond: NextLoad = ({ counterpart }) => counterpart.accept(counterpart.beginInstall('new').token).url;

/** The settings of an installation once more. */
export const nextSettings =
  (authCode: string): NextLoad =>
  ({ counterpart }) =>
    counterpart.beginSettings(authCode).url;

/** The alterations of such loads that the app does not answer as it answers `refused`. */
export const loadedUnlikeRefusal = (
  { session }: AppContext,
  next: NextLoad,
  refused: Alteration,
  alterations: readonly Alteration[],
): Promise<readonly Alteration[]> =>
  unlikeRefusal(({ alter }) => load(session, alter(next(session)), 'forged'), refused, alterations);
