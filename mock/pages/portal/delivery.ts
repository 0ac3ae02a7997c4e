/** Setup portal of delivery providers: manifest, global key, approval (interfaces.md, "What the service does", A). */
import type { Context } from 'hono';
import { judgeDeliveryManifest } from '../../../contracts/manifests/index.ts';
import { nextNumber, type Provider, type ProviderManifest } from '../../state/state.ts';
import type { MockService } from '../../types/service.ts';
import { html } from '../html.ts';
import { readForm } from '../layout/form.ts';
import { PageError, type PageRoutes, page, seeOther } from '../layout/shell.ts';
import { accountOf, forAccount, PORTAL_LINKS } from './accounts.ts';
import {
  approvalSection,
  faultList,
  keyBody,
  keySection,
  manifestForm,
  readManifest,
  type Submitted,
  statusBadge,
} from './manifest-form.ts';

const KEY_NAME = 'Global secret key';

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

function ownProvider(c: Context, service: MockService, account: string): Provider {
  const provider = service.state.providers.get(c.req.param('id') ?? '');
  if (!provider || accountOf({ ...provider.manifest }) !== account) {
    throw new PageError(404, 'Your account has no such delivery integration.');
  }
  return provider;
}

function detailsPage(c: Context, provider: Provider, submitted?: Submitted, problem?: string): Response {
  const base = `/portal/delivery/${provider.id}`;
  const text = submitted?.text ?? JSON.stringify(provider.manifest, null, 2);
  return page(c, {
    title: provider.manifest.app_title,
    links: PORTAL_LINKS,
    status: submitted?.manifest === null || problem ? 400 : 200,
    body: html`
${submitted && faultList(submitted)}
${problem && html`<section role="alert" class="bad">${problem}</section>`}
${approvalSection({
  action: `${base}/submit`,
  status: provider.status,
  note: 'Methods can be created with the key at once. Stores see them after the operator has approved the integration.',
})}
${keySection({ action: `${base}/key`, name: KEY_NAME, shown: provider.keyShown })}
<section><h2>Manifest</h2>${manifestForm({ action: `${base}/manifest`, text, button: 'Save the manifest', about: 'Changes take effect at once.' })}</section>
<section><h2>Dynamic methods</h2><p>A method whose price your own page works out during checkout: its checkout address is set in your
<a href="/admin/">demo store</a>, which you enter with the key. How that is set up is our choice: the contract does not show it.</p></section>`,
  });
}

function newPage(c: Context, account: string, submitted?: Submitted, problem?: string): Response {
  const example = {
    ...EXAMPLE_MANIFEST,
    app_vendor: { ...EXAMPLE_MANIFEST.app_vendor, developer_email: account },
  };
  return page(c, {
    title: 'New delivery integration',
    links: PORTAL_LINKS,
    status: submitted ? 400 : 200,
    body: html`${submitted && faultList(submitted)}
${problem && html`<section role="alert" class="bad">${problem}</section>`}
<section>${manifestForm({ action: '/portal/delivery/', text: submitted?.text ?? JSON.stringify(example, null, 2), button: 'Submit the manifest' })}</section>`,
  });
}

const listPage = (c: Context, own: readonly Provider[]): Response =>
  page(c, {
    title: 'Delivery integrations',
    links: PORTAL_LINKS,
    body: html`<section>${
      own.length === 0
        ? html`<p>You have none yet.</p>`
        : html`<table><thead><tr><th scope="col">Integration</th><th scope="col">State</th></tr></thead><tbody>
${own.map(({ id, manifest, status }) => html`<tr><td><a href="/portal/delivery/${id}">${manifest.app_title}</a></td><td>${statusBadge(status)}</td></tr>`)}
</tbody></table>`
    }</section><p><a class="button" href="/portal/delivery/new">New delivery integration</a></p>`,
  });

/** Texts of a company's methods may be in any language that one of the stores has. */
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

/** Adds the pages under /portal/delivery/. */
export function mountDeliveryPortal(routes: PageRoutes): void {
  const { service } = routes;

  routes.get(
    '/portal/delivery/',
    forAccount(service, (c, account) =>
      listPage(
        c,
        service.state.providers.filter(({ manifest }) => accountOf({ ...manifest }) === account),
      ),
    ),
  );

  routes.get(
    '/portal/delivery/new',
    forAccount(service, (c, account) => newPage(c, account)),
  );

  routes.post(
    '/portal/delivery/',
    forAccount(service, async (c, account) => {
      const submitted = readManifest((await readForm(c)).text('manifest'), judgeDeliveryManifest);
      if (submitted.manifest === null) return newPage(c, account, submitted);
      if (accountOf(submitted.manifest) !== account) {
        return newPage(
          c,
          account,
          submitted,
          `The manifest’s developer_email has to be that of your account, ${account}.`,
        );
      }
      const provider = createProvider(service, submitted.manifest as unknown as ProviderManifest);
      return seeOther(c, `/portal/delivery/${provider.id}`);
    }),
  );

  routes.get(
    '/portal/delivery/:id',
    forAccount(service, (c, account) => detailsPage(c, ownProvider(c, service, account))),
  );

  routes.post(
    '/portal/delivery/:id/manifest',
    forAccount(service, async (c, account) => {
      const provider = ownProvider(c, service, account);
      const submitted = readManifest((await readForm(c)).text('manifest'), judgeDeliveryManifest);
      if (submitted.manifest === null) return detailsPage(c, provider, submitted);
      if (accountOf(submitted.manifest) !== account) {
        const problem = `The manifest’s developer_email has to stay that of your account, ${account}.`;
        return detailsPage(c, provider, submitted, problem);
      }
      const manifest = submitted.manifest as unknown as ProviderManifest;
      service.change(() => service.state.providers.patch(String(provider.id), { manifest }));
      return detailsPage(c, { ...provider, manifest }, submitted);
    }),
  );

  routes.post(
    '/portal/delivery/:id/key',
    forAccount(service, (c, account) => {
      const provider = ownProvider(c, service, account);
      if (provider.keyShown) throw new PageError(410, 'The key of this integration was shown already.');
      service.change(() => service.state.providers.patch(String(provider.id), { keyShown: true }));
      const back = `/portal/delivery/${provider.id}`;
      const body = keyBody({ name: KEY_NAME, key: provider.apiKey, back });
      return page(c, { title: provider.manifest.app_title, links: PORTAL_LINKS, body });
    }),
  );

  routes.post(
    '/portal/delivery/:id/submit',
    forAccount(service, (c, account) => {
      const provider = ownProvider(c, service, account);
      if (provider.status === 'draft' || provider.status === 'refused') {
        service.change(() => service.state.providers.patch(String(provider.id), { status: 'submitted' }));
      }
      return seeOther(c, `/portal/delivery/${provider.id}`);
    }),
  );
}
