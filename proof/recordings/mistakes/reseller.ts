/** Mistakes of clients of Reseller. */
import { formEncode } from '../../../contracts/signing/index.ts';
import { at, inForm, inPath, type Mistake } from './mistake.ts';

const TOKEN = 'reseller.calls.token';
const PARAMETERS = 'reseller.calls.parameters';
const OPERATIONS = 'reseller.calls.known-operations';
const LEVEL = 'reseller.calls.subscription-level';
const DOMAIN = 'reseller.calls.domain-without-www';
const ADD_DOMAIN = /\/domain\/add\/$/;
const AUTHORIZE = /^\/api\/authorize\/$/;
const WITH_TOKEN = /^\/api\/(?!authorize\/$)/;

/** A client that keeps the first token that it gets. */
function keptToken(): Mistake['change'] {
  let first: string | undefined;
  return inForm(WITH_TOKEN, (form) => {
    first ??= form.apiToken ?? '';
    return { ...form, apiToken: first };
  });
}

export const RESELLER_MISTAKES: readonly Mistake[] = [
  {
    ...{ id: 'reseller.token-in-header', about: 'The token is in a header.', clause: TOKEN },
    change: at(WITH_TOKEN, ({ form: { apiToken, ...form } = {} }) => ({ authorization: `Bearer ${apiToken}`, form })),
  },
  {
    ...{ id: 'reseller.token-under-other-name', about: 'The token is called token.', clause: TOKEN },
    change: inForm(WITH_TOKEN, ({ apiToken, ...form }) => ({ ...form, token: apiToken ?? '' })),
  },
  {
    ...{ id: 'reseller.token-forgotten', about: 'One call lacks the token.', clause: TOKEN },
    change: inForm(/\/balance\/$/, ({ apiToken, ...form }) => form),
  },
  {
    ...{ id: 'reseller.token-of-ended-session', about: 'A token is kept after its logout or a new password.' },
    unseen: 'the embedded service lets a token live until its logout, so that the kept one is valid',
    change: keptToken(),
  },
  {
    ...{ id: 'reseller.parameters-as-json', about: 'The credentials are JSON.', clause: PARAMETERS },
    change: at(AUTHORIZE, ({ form }) => ({ form: undefined, body: form })),
  },
  {
    ...{ id: 'reseller.login-by-user', about: 'The address of the user is called user.', clause: PARAMETERS },
    change: inForm(AUTHORIZE, ({ email, ...form }) => ({ ...form, user: email ?? '' })),
  },
  {
    ...{
      id: 'reseller.password-under-other-name',
      about: 'The new password is called new_password.',
      clause: PARAMETERS,
    },
    change: inForm(/\/api\/password\/$/, ({ password, ...form }) => ({ ...form, new_password: password ?? '' })),
  },
  {
    ...{ id: 'reseller.settings-in-one', about: 'Settings are JSON in one parameter.', clause: PARAMETERS },
    change: inForm(/\/settings\/set\/$/, ({ company, apiToken }) => ({
      ...{ apiToken: apiToken ?? '', settings: JSON.stringify({ company }) },
    })),
  },
  {
    ...{
      id: 'reseller.setting-misspelt',
      about: 'The name of a setting is misspelt, beside others.',
      clause: PARAMETERS,
    },
    change: inForm(/\/settings\/set\/$/, (form) => ({ ...form, contact_phone: '+371 60000000' })),
  },
  {
    ...{ id: 'reseller.settings-by-put', about: 'Settings are changed by PUT.', clause: OPERATIONS },
    change: at(/\/settings\/set\/$/, () => ({ method: 'PUT' })),
  },
  {
    ...{ id: 'reseller.settings-to-read', about: 'Settings are sent to the address that shows them.' },
    unseen: 'a read may have further parameters, which a service ignores',
    change: inPath('reseller', (path) => path.replace('/settings/set/', '/settings/')),
  },
  {
    ...{ id: 'reseller.domain-by-delete', about: 'A domain is removed by DELETE.', clause: OPERATIONS },
    change: at(/\/remove\/$/, () => ({ method: 'DELETE' })),
  },
  {
    ...{
      id: 'reseller.website-in-plural',
      about: 'A website is named below the path of the list.',
      clause: OPERATIONS,
    },
    change: inPath('reseller', (path) => path.replace('/website/', '/websites/')),
  },
  {
    ...{
      id: 'reseller.domain-by-name',
      about: 'A domain is removed by its name.',
      clause: 'reseller.calls.ids-in-paths',
    },
    change: inPath(/\/remove\/$/, (path) => path.replace(/domain\/\d+/, 'domain/shop-one.example')),
  },
  {
    ...{ id: 'reseller.domain-with-www', about: 'A domain is added with www.', clause: DOMAIN },
    change: inForm(ADD_DOMAIN, (form) => ({ ...form, domain: `www.${form.domain}` })),
  },
  {
    ...{ id: 'reseller.domain-as-address', about: 'A domain is added as a web address.', clause: DOMAIN },
    change: inForm(ADD_DOMAIN, (form) => ({ ...form, domain: `http://${form.domain}/` })),
  },
  {
    ...{ id: 'reseller.domain-not-filled-in', about: 'A placeholder is in the place of a domain.', clause: DOMAIN },
    change: inForm(ADD_DOMAIN, (form) => ({ ...form, domain: 'null' })),
  },
  {
    ...{ id: 'reseller.domain-of-blanks', about: 'A domain is a blank.', clause: DOMAIN },
    change: inForm(ADD_DOMAIN, (form) => ({ ...form, domain: ' ' })),
  },
  {
    ...{ id: 'reseller.level-as-parameter', about: 'The level of a subscription is a parameter.', clause: OPERATIONS },
    change: at(/\/enable_premium\//, ({ path, form }) => ({
      ...{ path: path.replace(/premium\/premium\w*\//, 'premium/'), form: { ...form, subscription: 'premium' } },
    })),
  },
  {
    ...{ id: 'reseller.level-in-capitals', about: 'The level of a subscription is in capitals.', clause: LEVEL },
    change: inPath(/\/enable_premium\//, (path) =>
      path.replace(/premium\/$/, 'PREMIUM/').replace(/premiumplus\/$/, 'PremiumPlus/'),
    ),
  },
  {
    ...{ id: 'reseller.other-level', about: 'Another level is requested.', clause: LEVEL },
    change: inPath(/\/enable_premium\//, (path) => path.replace(/premium\w*\/$/, 'gold/')),
  },
  {
    ...{ id: 'reseller.all-by-get', about: 'All calls are GET with a query, which the contract shows as well.' },
    change: at('reseller', ({ path, form }) => ({
      ...{ method: 'GET', path: `${path}?${formEncode(Object.entries(form ?? {}))}`, form: undefined },
    })),
  },
  {
    ...{ id: 'reseller.token-in-query', about: 'The token is in the query and the other parameters in a form.' },
    change: at(WITH_TOKEN, ({ path, form: { apiToken = '', ...form } = {} }) => ({
      ...{ path: `${path}?${formEncode([['apiToken', apiToken]])}`, form },
    })),
  },
];
