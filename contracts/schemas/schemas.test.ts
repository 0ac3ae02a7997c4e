import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DocumentName } from '../envelopes/wire.ts';
import { DOCUMENTS } from '../generated/documents.generated.ts';
import { schemaErrors } from './index.ts';

function faultsAt(document: DocumentName, schema: string, value: unknown): string[] {
  return schemaErrors(document, schema, value).map(({ pointer, message }) => `${pointer}: ${message}`);
}

function assertConforms(document: DocumentName, schema: string, ...values: unknown[]) {
  for (const value of values) assert.deepEqual(schemaErrors(document, schema, value), [], JSON.stringify(value));
}

function assertDeviates(document: DocumentName, schema: string, ...values: unknown[]) {
  for (const value of values) assert.notDeepEqual(schemaErrors(document, schema, value), [], JSON.stringify(value));
}

describe('answers are judged without false alarms', () => {
  it('takes an optional value that was never set as missing, null, "" or []', () => {
    const optional = {
      v1: {
        DeliveryMethod: [
          { handle: 'm' },
          ['name', 'title', 'reference', 'available_countries_from', 'available_countries_to', 'print_label_url'],
        ],
        PickupPoint: [{ id: 'p' }, ['title', 'address', 'city', 'zip', 'country', 'attributes']],
        Snippet: [{}, ['snippet', 'language']],
        AppData: [{}, ['data']],
        Website: [{}, ['url', 'brandname']],
        User: [{}, ['email']],
      },
      api: {
        WebsiteRecord: [{ websiteID: 1 }, ['userName', 'userCountry', 'websiteBrandname', 'websiteAccessed']],
        AccountSettings: [{ resellerID: 1 }, ['company', 'addrCountry', 'tlds', 'creditLimit', 'logoLink']],
        Balance: [{}, ['currentBalance', 'billingThreshold']],
      },
    } as const;
    for (const document of ['v1', 'api'] as const) {
      for (const [schema, [least, members]] of Object.entries(optional[document])) {
        assertConforms(document, schema, least);
        for (const member of members) {
          for (const unset of [null, '', []]) assertConforms(document, schema, { ...least, [member]: unset });
        }
      }
    }
  });

  it('takes members that the spec does not know, everywhere', () => {
    assertConforms('v1', 'DeliveryMethod', { handle: 'm', carrier: { id: 1 } });
    assertConforms('v1', 'DeliveryMethodList', { delivery_methods: [{ handle: 'm', x: [] }], total: 1 });
    assertConforms('v1', 'ErrorEnvelope', { error: true, error_code: 4, error_message: '', trace: null });
    assertConforms('v1', 'SuccessEnvelope', { error: false, warnings: [] });
    assertConforms('api', 'WebsiteRecord', { websiteID: 1, websiteTheme: 'x' });
  });

  it('takes a single resource bare, beside error: false, or under its name', () => {
    for (const [document, schema, name, resource] of [
      ['v1', 'DeliveryMethodResponse', 'delivery_method', { handle: 'm' }],
      ['v1', 'PickupPointResponse', 'pickup_point', { id: 'p' }],
      ['v1', 'UserResponse', 'user', { email: 'a@b.test' }],
      ['v1', 'WebsiteResponse', 'website', { brandname: 'Shop' }],
      ['v1', 'SnippetResponse', 'snippet', { snippet: '<b>' }],
      ['api', 'AccountSettingsResponse', 'settings', { resellerID: 1 }],
      ['api', 'BalanceResponse', 'balance', { premiumWebsites: 1 }],
    ] as const) {
      const wrapped = { [name]: resource };
      assertConforms(document, schema, resource, { error: false, ...resource }, wrapped, { error: false, ...wrapped });
      assertDeviates(document, schema, { error: true, ...resource }, { error: 'false', ...wrapped }, [resource]);
    }
  });

  it('takes links in every form, texts as string or object, country codes in either case', () => {
    for (const link of ['https://a.test/v1/x?p=1', '/v1/x', '/store/x', 'store/x', null, '']) {
      assertConforms('v1', 'PickupPointList', { pickup_points: [], next_page_uri: link });
    }
    assertConforms('v1', 'DeliveryMethod', { handle: 'm', title: 'x' }, { handle: 'm', title: { en: 'x', lv: null } });
    assertConforms('v1', 'PickupPoint', { id: 'p', country: 'lv' }, { id: 'p', country: 'LV' });
    assertConforms('v1', 'DeliveryMethod', { handle: 'm', print_label_url: 'https://piegāde.test/étiquette?a=š' });
  });

  it('takes money in any order and the zero date of old databases', () => {
    for (const text of ['EUR 0.00', '12,50 EUR', 'EUR-3', 'USD 1 250.00', 'eur 5']) {
      assertConforms('api', 'Balance', { currentBalance: text });
    }
    assertConforms('api', 'WebsiteRecord', { websiteID: 1, websiteCreated: '0000-00-00 00:00:00' });
  });
});

describe('answers that break the spec are found', () => {
  it('finds wrong types, forms and missing identifiers', () => {
    assertDeviates('v1', 'DeliveryMethod', {}, { handle: 5 }, { handle: '' }, [], null, 'm');
    for (const deviation of [
      { name: 5 },
      { title: 5 },
      { title: { en: 5 } },
      { title: ['x'] },
      { reference: false },
      { available_countries_to: 'LV' },
      { available_countries_to: ['LVA'] },
      { available_countries_from: { 0: 'LV' } },
      { print_label_url: 'carrier.test/label' },
      { print_label_url: false },
    ]) {
      assertDeviates('v1', 'DeliveryMethod', { handle: 'm', ...deviation });
    }
    for (const deviation of [
      { id: 7 },
      { zip: 1050 },
      { country: 'Latvia' },
      { attributes: 'x' },
      { attributes: [1] },
    ]) {
      assertDeviates('v1', 'PickupPoint', { id: 'p', ...deviation });
    }
    assertDeviates('v1', 'DeliveryMethodList', {}, { delivery_methods: {} }, { delivery_methods: [], error: true });
    assertDeviates('v1', 'ProviderSettings', {}, { fields: 'x' }, { fields: [1] });
    assertDeviates('v1', 'Languages', {}, { languages: 'en' }, { languages: [1] }, ['en']);
    assertDeviates('v1', 'User', { email_confirmed: 1 }, { email: false });
    assertDeviates('v1', 'Website', { url: 'shop.test' });
    assertDeviates('v1', 'AppData', { data: 5 }, { data: [1] }, { data: true });
  });

  it('keeps the two error envelopes apart', () => {
    const v1 = { error: true, error_code: 401, error_message: 'Unauthorized' };
    const api = { error: true, errorCode: 401, errorMsg: 'Unauthorized' };
    assertConforms('v1', 'ErrorEnvelope', v1);
    assertConforms('api', 'ErrorEnvelope', api);
    assertDeviates(
      'v1',
      'ErrorEnvelope',
      api,
      { ...v1, error: 1 },
      { ...v1, error_code: '401' },
      { ...v1, error_code: 4.5 },
    );
    assertDeviates('api', 'ErrorEnvelope', v1, { ...api, error: 'true' }, { ...api, errorMsg: null });
    assertDeviates('v1', 'SuccessEnvelope', {}, { error: 0 }, { error: 'false' }, { error: null });
  });

  it('holds reseller records to the types of the table', () => {
    for (const deviation of [
      { websiteID: '1' },
      { userCountry: 'LV' },
      { userCreated: '2024-03-05T16:07:09Z' },
      { userCreated: '2024-13-05 16:07:09' },
      { websiteAccessed: 'never' },
      { websiteStatus: '1' },
      { websiteType: 1.5 },
      { websiteIsPremium: 0 },
      { userIsConfirmed: 'true' },
    ]) {
      assertDeviates('api', 'WebsiteRecord', { websiteID: 1, ...deviation });
    }
    assertDeviates('api', 'DomainRecord', { domain: 'a.test' }, { domainID: '1', domain: 'a.test' }, { domainID: 1 });
    assertDeviates(
      'api',
      'AccountSettings',
      {},
      { resellerID: 1, addrCountry: 'LV' },
      { resellerID: 1, creditLimit: 'x' },
    );
    assertDeviates('api', 'Balance', { currentBalance: 12.5 }, { currentBalance: '12.50' }, { premiumWebsites: '3' });
    assertDeviates('api', 'Authorized', {}, { apiToken: '' }, { apiToken: 5 });
    assertDeviates('api', 'LoginLink', {}, { loginUrl: null });
  });
});

describe('what integrators send and submit', () => {
  it('limits a batch to 100 points, each with an id', () => {
    const points = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `p${index}` }));
    assertConforms('v1', 'BatchReplaceRequest', { pickup_points: [] }, { pickup_points: points(100), country: 'LV' });
    assertDeviates('v1', 'BatchReplaceRequest', {}, { pickup_points: points(101) }, { pickup_points: [{}] });
    assertDeviates('v1', 'BatchReplaceRequest', { pickup_points: [], is_finalization: 'true' });
  });

  it('demands the delivery address of a label request only without a pickup point', () => {
    const example = schemaExample('LabelRequest');
    const { shipping_street, shipping_city, shipping_zip, ...toPoint } = example;
    assertConforms('integrator', 'LabelRequest', example, toPoint, { ...toPoint, custom_field: 'x' });
    const { shipping_pickup_point_id, ...nowhere } = toPoint;
    assertDeviates('integrator', 'LabelRequest', nowhere, { ...toPoint, shipping_pickup_point_id: '' });
    for (const deviation of [
      { weight: '0.5' },
      { amount: '24,90' },
      { shipping_country_code: 'LV' },
      { currency: '€' },
      { cart: '[{' },
      { language_code: 'eng' },
      { signature: 'abc' },
      { callback_url: '/callback' },
    ]) {
      assertDeviates('integrator', 'LabelRequest', { ...example, ...deviation });
    }
  });

  it('judges manifests by what the spec fixes and no more', () => {
    const app = schemaExample('AppManifest');
    assertConforms('integrator', 'AppManifest', app, { ...app, app_color: 'red' }, { ...app, app_screenshots: null });
    for (const member of Object.keys(app)) {
      const { [member]: _, ...rest } = app;
      const optional = member === 'app_display_title' || member === 'app_screenshots';
      assert.equal(schemaErrors('integrator', 'AppManifest', rest).length === 0, optional, member);
    }
    for (const deviation of [
      { app_type: 'DELIVERY_SERVICE' },
      { app_version: '1.0' },
      { app_version: 'v1.0.0' },
      { app_permissions: [] },
      { app_permissions: 'FULL' },
      { app_tab_mode: 'new' },
      { app_icon: { en: 'https://a.test/i.png' } },
      { app_title: { en: 'x' } },
      { app_description_short: '' },
    ]) {
      assertDeviates('integrator', 'AppManifest', { ...app, ...deviation });
    }
    const delivery = schemaExample('DeliveryManifest');
    assertConforms('integrator', 'DeliveryManifest', delivery);
    for (const field of [
      { id: 'a', title: 'A', type: 'number' },
      { title: 'A', type: 'text' },
      { id: 'a', type: 'text' },
    ]) {
      assertDeviates('integrator', 'DeliveryManifest', { ...delivery, delivery_api_data_fields: [field] });
    }
  });
});

describe('faults are sentences', () => {
  it('names the place and what is wrong there', () => {
    assert.deepEqual(schemaErrors('v1', 'ErrorEnvelope', { error: true, error_code: '401', error_message: 'No' }), [
      { pointer: '/error_code', message: 'must be an integer, and is a string', keyword: 'type' },
    ]);
    assert.deepEqual(faultsAt('v1', 'DeliveryMethod', {}), [': lacks the member "handle"']);
    assert.deepEqual(faultsAt('v1', 'PickupPoint', { id: 'p', zip: 5 }), [
      '/zip: must be a string or no value (null, "" or []), and is a number',
    ]);
  });

  it('says that a text is empty where something else is asked for', () => {
    const faultsOf = (address: string): string =>
      faultsAt('v1', 'DeliveryMethodInput', { print_label_url: address }).join();
    assert.match(faultsOf(''), /print_label_url: must be .*, and is an empty text$/);
    assert.match(faultsOf('our label page'), /, and is another text$/);
  });

  it('reports the fault inside an alternative instead of listing alternatives', () => {
    assert.deepEqual(faultsAt('v1', 'DeliveryMethodResponse', { handle: 5 }), [
      '/handle: must be a string, and is a number',
    ]);
    assert.deepEqual(faultsAt('v1', 'DeliveryMethod', { handle: 'm', available_countries_to: ['LV', 'Estonia'] }), [
      '/available_countries_to/1: must be a two-letter country code',
    ]);
  });

  it('distinguishes a bad member name and an empty object from a wrong kind', () => {
    const app = schemaExample('AppManifest');
    const screenshots = { 'not a code': 'https://app.test/en.png' };
    assert.deepEqual(faultsAt('integrator', 'AppManifest', { ...app, app_screenshots: screenshots }), [
      '/app_screenshots: has a member whose name is not allowed: "not a code"',
    ]);
    assert.deepEqual(faultsAt('integrator', 'AppManifest', { ...app, app_description_short: {} }), [
      '/app_description_short: must have 1 or more members',
    ]);
  });

  it('finds thousands of faults in a long list', () => {
    const pickup_points = Array.from({ length: 5000 }, () => ({ id: 1, zip: 2 }));
    assert.equal(schemaErrors('v1', 'PickupPointList', { pickup_points }).length, 10_000);
  });

  it('never repeats the value, which may be a secret', () => {
    const reported = JSON.stringify([
      ...schemaErrors('api', 'WebsiteRecord', { websiteID: 'hunter22', userCountry: 'hunter22' }),
      ...schemaErrors('integrator', 'LabelRequest', { signature: 'hunter22', weight: 'hunter22' }),
    ]);
    assert.ok(!reported.includes('hunter22'), reported);
  });

  it('says which schemas there are when one is unknown', () => {
    assert.throws(
      () => schemaErrors('api', 'Balances', {}),
      /openapi\/api\.yaml has no schema Balances: use one of .*Balance/,
    );
  });
});

function schemaExample(schema: string): { [member: string]: unknown } {
  const { examples } = (
    DOCUMENTS.integrator.components as { schemas: { [name: string]: { examples: { [member: string]: unknown }[] } } }
  ).schemas[schema]!;
  return examples[0]!;
}
