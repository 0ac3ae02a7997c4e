/**
 * Second loads and settings that a program requests, of which an app may serve what it should refuse. Each costs one plain request, where a
 * browser needs a whole user flow; only what is not answered like a refusal is worth one.
 */
import pMap from 'p-map';
import type { Fetched } from '../../../harness/integrator/fetch/fetcher.ts';
import type { AppContext, AppSession } from '../session.ts';
import type { Alteration } from './loads.ts';
import { load } from './plain-loads.ts';

const AT_A_TIME = 6;
/** More than these are not answered differently for what they are. */
const MAX_UNLIKE = 6;

/** The address of one more authentic load. */
export type NextLoad = (session: AppSession) => string;

/** One more installation that its user has agreed to. */
export const nextSecond: NextLoad = ({ counterpart }) => counterpart.accept(counterpart.beginInstall('new').token).url;

/** The settings of an installation once more. */
export const nextSettings =
  (authCode: string): NextLoad =>
  ({ counterpart }) =>
    counterpart.beginSettings(authCode).url;

/** Those that the app does not answer as it answers `refused`; none where its refusals differ from each other. */
export async function unlikeRefusal(
  { session }: AppContext,
  next: NextLoad,
  refused: Alteration,
  alterations: readonly Alteration[],
): Promise<readonly Alteration[]> {
  const gistFor = async ({ alter }: Alteration): Promise<string> =>
    gistOf(await load(session, alter(next(session)), 'forged'));
  const [one, other] = [await gistFor(refused), await gistFor(refused)];
  if (one !== other || alterations.length === 0) return [];
  const gists = await pMap(alterations, gistFor, { concurrency: AT_A_TIME });
  const unlike = alterations.filter((_, at) => gists[at] !== one);
  return unlike.length > MAX_UNLIKE ? [] : unlike;
}

/** A response without what differs from request to request: numbers, codes and hashes. */
function gistOf(response: Fetched | undefined): string {
  if (response === undefined) return 'no response';
  const text = Buffer.from(response.bytes).toString('utf8');
  return [response.status, response.header('location') ?? '', text]
    .join('\n')
    .replace(/[A-Za-z0-9+/_%-]*[0-9][A-Za-z0-9+/_%=-]*/g, '#');
}
