/** The settings of two installations, requested several times: not every request meets the same server. */
import { curlOf } from '../../../../harness/evidence/curl.ts';
import { isServiceAddress } from '../../../../harness/integrator/counterpart.ts';
import type { AppContext } from '../../session.ts';
import { inLanguage, parameterOf, parametersOf } from '../address.ts';
import { foreignFactIn, ownFactIn } from '../user-flow/website-facts.ts';

/** So many times the settings of each are requested in a row: a server that keeps pages may be one of two or three behind a balancer. */
const TIMES = 4;
/** Then in one language: users in another one would not get a page that is kept for each language. */
const TIMES_IN_ONE_LANGUAGE = 2;
const PLAIN_TIMEOUT_MS = 5_000;

/** The same once more, without a browser: where pages are kept by one of several servers, some requests get a page of another installation. */
export async function expectOwnFactsEachTime(
  { session, expect }: AppContext,
  codes: readonly [string, string],
): Promise<void> {
  const language = parameterOf(parametersOf(session.counterpart.beginSettings(codes[0]).url), 'language') ?? '';
  const inOne = inLanguage(session, language);
  for (const own of codes) {
    for (let time = 0; time < TIMES + TIMES_IN_ONE_LANGUAGE; time += 1) {
      const { url: usual } = session.counterpart.beginSettings(own);
      const url = time < TIMES ? usual : inOne.alter(usual);
      const options = { role: 'settings', timeoutMs: PLAIN_TIMEOUT_MS } as const;
      const page = await session.fetcher.fetch(url, options).catch(() => undefined);
      if (page === undefined || isServiceAddress(session.counterpart, page.url)) return;
      const text = Buffer.from(page.bytes).toString('utf8');
      const foreign = foreignFactIn(session, text, own);
      expect.that(
        foreign === undefined,
        `some requests for the settings of an installation are answered with the website or the user of another one (${foreign}): keep no page of one installation for another, on any server`,
        { exchange: page.exchange, curl: curlOf({ method: 'GET', url }, session.redaction) },
      );
      // A page that does not say whose it is can't show it.
      if (!ownFactIn(session, text, own)) return;
    }
  }
}
