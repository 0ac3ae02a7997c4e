/** Setup portal of delivery providers: manifest, global key, approval (interfaces.md, "What the service does", A). */
import { judgeDeliveryManifest } from '../../../contracts/manifests/index.ts';
import { nextNumber, type Provider, type ProviderManifest } from '../../state/state.ts';
import type { MockService } from '../../types/service.ts';
import { html } from '../html.ts';
import type { PageRoutes } from '../layout/shell.ts';
import { mountPortal, type Portal } from './portal.ts';

const EXAMPLE_MANIFEST = {
  app_type: 'DELIVERY_SERVICE',
  app_title: 'Example Parcels',
  app_vendor: {
    company_name: 'Example Parcels Ltd',
    support_email: 'support@parcels.example',
    support_phone: '+371 20000000',
    developer_email: 'developer@parcels.example',
  },
  delivery_api_data_fields: [{ id: 'client_id', title: 'Client number', type: 'text', required: true }],
  delivery_service_info: { info_url: 'https://parcels.example/' },
};

/** Texts of a provider's methods may be in any language that one of the stores has. */
function languagesOfStores(service: MockService): { languages: string[]; defaultLanguage: string } {
  const languages = [...new Set(service.state.websites.all().flatMap((website) => website.languages))];
  return { languages: languages.includes('en') ? languages : ['en', ...languages], defaultLanguage: 'en' };
}

function createProvider(service: MockService, manifest: ProviderManifest): Provider {
  return service.change(() => {
    const last = Math.max(0, ...service.state.providers.all().map(({ id }) => id));
    const id = Math.max(nextNumber(service.state, 'providers', last), last + 1);
    return service.state.providers.set(String(id), {
      id,
      apiKey: service.random(24).toString('hex'),
      keyShown: false,
      status: 'draft',
      manifest,
      ...languagesOfStores(service),
    });
  });
}

const PORTAL: Portal<Provider> = {
  base: '/portal/delivery/',
  words: {
    list: 'Delivery integrations',
    column: 'Integration',
    create: 'New delivery integration',
    key: 'Global secret key',
    unknown: 'delivery integration',
    one: 'integration',
  },
  example: EXAMPLE_MANIFEST,
  judge: judgeDeliveryManifest,
  rows: ({ state }) => state.providers.all(),
  create: (service, manifest) => createProvider(service, manifest as ProviderManifest),
  change: (service, { id }, change) => service.change(() => void service.state.providers.patch(String(id), change)),
  keep: (service, { id }, manifest) =>
    service.change(() => service.state.providers.patch(String(id), { manifest: manifest as ProviderManifest })),
  shown: ({ manifest }) => JSON.stringify(manifest, null, 2),
  note: () =>
    'Methods can be created with the key at once. Stores see them after the operator has approved the integration.',
  afterManifest:
    () => html`<section><h2>Dynamic methods</h2><p>A method whose price your own page works out during checkout: its checkout address is set in your
<a href="/admin/">demo store</a>, which you enter with the key. The contract does not say how it is set up, so this is our choice.</p></section>`,
  save: () => ({ button: 'Save the manifest', about: 'Changes take effect at once.' }),
};

/** Adds the pages under /portal/delivery/. */
export const mountDeliveryPortal = (routes: PageRoutes): void => mountPortal(routes, PORTAL);
