/** Statuses of other websites after one was enabled or disabled. */
import { describe } from 'node:test';
import { API, type ExchangeDescription } from '../../../traffic.fixture.ts';
import { judgeAll, ok, sequencesOf } from '../sequences.fixture.ts';

const TOKEN = '?apiToken=token-1';
const [ACTIVE, DISABLED] = [1, 2];

describe('statuses of other websites', () => {
  const listed = (...statuses: readonly number[]): ExchangeDescription => ({
    url: `${API}websites/${TOKEN}`,
    response: { ...ok, websites: statuses.map((websiteStatus, at) => ({ websiteID: at + 1, websiteStatus })) },
  });
  const disable = (website = 1, response: unknown = ok, status = 200): ExchangeDescription => ({
    ...{ method: 'POST', url: `${API}website/${website}/disable/${TOKEN}`, response, status },
  });
  const active = listed(ACTIVE, ACTIVE, ACTIVE);
  judgeAll(
    sequencesOf([
      [
        'that became the one of the named website',
        'reseller.website.only-named-website-changes',
        active,
        disable(),
        listed(DISABLED, DISABLED, DISABLED),
      ],
      ['that stayed', undefined, active, disable(), listed(DISABLED, ACTIVE, ACTIVE)],
      ['of one website', undefined, active, disable(), listed(DISABLED, DISABLED, ACTIVE)],
      ['that became other ones', undefined, active, disable(), listed(DISABLED, 3, 3)],
      ['without a call', undefined, active, listed(DISABLED, DISABLED, DISABLED)],
      ['after calls for two websites', undefined, active, disable(1), disable(2), listed(DISABLED, DISABLED, DISABLED)],
      [
        'after a refused call',
        undefined,
        active,
        disable(1, { error: true, errorCode: 404, errorMsg: 'No.' }, 404),
        listed(DISABLED, DISABLED, DISABLED),
      ],
      ['that were not listed before', undefined, listed(ACTIVE), disable(), listed(DISABLED, DISABLED, DISABLED)],
    ]),
  );
});
