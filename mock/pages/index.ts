/** The parts of the service without an API, as pages that a person can click. */
import type { Hono } from 'hono';
import { siteUrl } from '../state/sites.ts';
import type { MockService } from '../types/service.ts';
import { html } from './html.ts';
import { errorPage, PageRoutes, page } from './layout/shell.ts';
import { mountAccounts } from './portal/accounts.ts';
import { mountAppPortal } from './portal/app.ts';
import { mountDeliveryPortal } from './portal/delivery.ts';
import { mountOperator } from './portal/operator.ts';
import { mountStoreAdmin } from './store/admin.ts';
import { mountCatalog } from './store/catalog.ts';
import { mountCheckout } from './store/checkout.ts';
import { mountDeliverySettings } from './store/delivery-settings.ts';
import { mountEditor } from './store/editor.ts';
import { mountStoreOrders } from './store/orders.ts';
import { mountStoreSession } from './store/session.ts';
import { mountWebsites } from './store/website.ts';

/** Paths of the interfaces, which answer unknown paths themselves. */
const INTERFACES = /^\/(?:v1|api|_control)(?:\/|$)/;

/** Which pages are mounted: a precheck has no pages that change or show the registration of the integrator. */
export type PageSet = 'all' | 'precheck';

const NOT_IN_PRECHECK: readonly string[] = ['/portal/delivery/', '/portal/apps/', '/operator/'];

/** An area of pages: address, name, what it is for. */
export type PageLink = readonly [href: string, name: string, about: string];

const PARTS: readonly PageLink[] = [
  ['/admin/', 'Store admin', 'orders, labels, delivery methods, integration settings'],
  ['/catalog/', 'App catalog', 'install, settings, uninstall'],
  ['/portal/delivery/', 'Delivery setup portal', 'manifest, global key, approval'],
  ['/portal/apps/', 'App setup portal', 'manifest, API key, approval'],
  ['/operator/', 'Operator', 'approve or refuse integrations'],
];

/**
 * Adds all pages to an app. Addresses of the interfaces are left to others; any other address without a page is answered with
 * a page that says so, whether or not something is added to the app afterwards.
 */
export function mountPages(app: Hono, service: MockService, pages: PageSet, links: readonly PageLink[]): void {
  const parts = [...PARTS.filter(([href]) => pages === 'all' || !NOT_IN_PRECHECK.includes(href)), ...links];
  const routes = new PageRoutes(app, service);

  routes.get('/', (c) =>
    page(c, {
      title: 'Embedded service',
      heading: 'A store platform to test against',
      body: html`<section><ul>${parts.map(([href, name, about]) => html`<li><a href="${href}">${name}</a>: ${about}</li>`)}</ul></section>
<section><h2>Websites</h2><ul>${service.state.websites
        .all()
        .map(
          (website) =>
            html`<li><a href="${siteUrl(service, website)}">${website.brandname}</a>, <a href="/checkout/${encodeURIComponent(website.alias)}/">checkout</a></li>`,
        )}</ul></section>`,
    }),
  );
  mountStoreSession(routes);
  mountStoreAdmin(routes);
  mountStoreOrders(routes);
  mountDeliverySettings(routes);
  mountCatalog(routes);
  mountCheckout(routes);
  mountWebsites(routes);
  if (pages === 'all') {
    mountAccounts(routes);
    mountDeliveryPortal(routes);
    mountAppPortal(routes);
    mountOperator(routes);
    mountEditor(routes);
  }
  routes.finish();

  app.all('*', async (c, next) => {
    if (INTERFACES.test(c.req.path)) return next();
    return errorPage(c, 404, 'There is no page at this address.');
  });
}
