/** Credentials that one operation refuses, websites of others, values without an order. */
import { describe } from 'node:test';
import { API, type ExchangeDescription } from '../../../traffic.fixture.ts';
import { get, type Json, judgeAll, ok, send, sequencesOf } from '../sequences.fixture.ts';

const call = (path: string, response: Json = ok, token = 't1', status = 200): ExchangeDescription => ({
  ...{ method: 'POST', url: `${API}${path}`, body: `apiToken=${token}`, response, status },
  headers: [['content-type', 'application/x-www-form-urlencoded']],
});
const UNAUTHORIZED = { error: true, errorCode: 401, errorMsg: 'Unauthorized' };
const websites = (...ids: readonly number[]): ExchangeDescription =>
  call('websites/', { ...ok, websites: ids.map((websiteID) => ({ websiteID })) });

describe('a credential that one operation refuses', () => {
  const balance = call('balance/');
  const refused = call('settings/', UNAUTHORIZED, 't1', 401);
  const other = call('settings/', UNAUTHORIZED, 't2', 401);
  const clause = 'reseller.authorize.token-works';
  const byGet: ExchangeDescription = get(`${API}settings/?apiToken=t1`, UNAUTHORIZED, 401);
  const balanceByGet = get(`${API}balance/?apiToken=t1`, ok);
  const inBoth = { ...refused, url: `${API}settings/?apiToken=t1` };
  const capitals = get('apps/user/?AUTHCODE=c1', { error: true, error_code: 401, error_message: 'No' }, 401);
  const code = (path: string, isGood: boolean): ExchangeDescription =>
    isGood
      ? get(`apps/${path}/?authCode=c1`, { languages: ['en'] })
      : get(`apps/${path}/?authCode=c1`, { error: true, error_code: 401, error_message: 'No' }, 401);
  judgeAll(
    sequencesOf([
      ['twice, between calls that accept it', clause, balance, refused, balance, refused, balance],
      ['once', undefined, balance, refused, balance],
      ['and that nothing accepts afterwards', undefined, balance, refused, refused],
      ['and that was refused before', undefined, refused, balance, refused, balance],
      ['and served another', undefined, balance, refused, balance, refused, balance, call('settings/', ok, 't2')],
      ['of another account', undefined, balance, other, balance, other, balance],
      [
        'among refusals of others',
        undefined,
        balance,
        refused,
        call('balance/', UNAUTHORIZED, 't1', 401),
        refused,
        balance,
      ],
      [
        'as forbidden',
        undefined,
        ...[balance, call('settings/', { ...UNAUTHORIZED, errorCode: 403 }, 't1', 403), balance],
        ...[call('settings/', { ...UNAUTHORIZED, errorCode: 403 }, 't1', 403), balance],
      ],
      ['in the address only', undefined, balance, byGet, balance, byGet, balance],
      ['in the address as others', clause, balanceByGet, byGet, balanceByGet, byGet, balanceByGet],
      ['in the form and the address', undefined, balance, inBoth, balance, inBoth, balance],
      [
        'of Apps under a name in other letters',
        undefined,
        ...[code('languages', true), capitals, code('languages', true), capitals, code('languages', true)],
      ],
      [
        'of Apps',
        'apps.credentials.accepted',
        ...[code('languages', true), code('user', false), code('languages', true), code('user', false)],
        code('languages', true),
      ],
    ]),
  );
});

describe('a website', () => {
  const clause = 'reseller.website.unknown-refused';
  const login = call('website/7/login/', { ...ok, loginUrl: 'https://a.test/' });
  judgeAll(
    sequencesOf([
      ['that is in no list', clause, websites(1, 2), login, websites(1, 2)],
      ['that is new', undefined, websites(1, 2), login, websites(1, 2, 7)],
      ['that was there', undefined, websites(1, 7), websites(1), login, websites(1)],
      ['that is enabled', undefined, websites(1), call('website/7/enable/'), websites(1)],
      ['by its name', undefined, websites(1), call('website/shop/disable/'), websites(1)],
      ['of another account', undefined, websites(1), call('website/7/disable/', ok, 't2'), websites(1)],
      ['without a list before', undefined, login, websites(1)],
      [
        'whose subscription does not end',
        'reseller.premium.disable',
        call('website/7/disable_premium/'),
        call('websites/', { ...ok, websites: [{ websiteID: 7, websiteIsPremium: true }] }),
      ],
      [
        'whose subscription was stopped and started',
        undefined,
        ...[call('website/7/disable_premium/'), call('website/7/enable_premium/premium/')],
        call('websites/', { ...ok, websites: [{ websiteID: 7, websiteIsPremium: true }] }),
      ],
    ]),
  );
});

describe('custom field values', () => {
  const settings = (body: Json, fields: Json, query = ''): ExchangeDescription =>
    send('POST', `store/delivery_provider_settings/${query}`, body, { fields });
  const clause = 'delivery.settings.unknown-order';
  judgeAll(
    sequencesOf([
      ['of no order', clause, settings({}, { client: 'C-1' })],
      ['of an empty order', clause, settings({ order_uuid: '' }, { client: 'C-1' })],
      ['without values', undefined, settings({}, {})],
      ['that are empty', undefined, settings({}, { client: '', other: null })],
      ['of an order', undefined, settings({ order_uuid: 'o' }, { client: 'C-1' })],
      ['of an order in the address', undefined, settings({}, { client: 'C-1' }, '?order_uuid=o')],
    ]),
  );
});
