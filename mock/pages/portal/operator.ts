/**
 * The operator's page: integrations that wait for approval, with their manifests, and past decisions. It has no sign-in: in
 * a test service anyone may act as the operator.
 */
import type { Context } from 'hono';
import { judgeAppManifest, judgeDeliveryManifest, type ManifestFault } from '../../../contracts/manifests/index.ts';
import type { MockService } from '../../types/service.ts';
import { type Html, html } from '../html.ts';
import { buttonForm } from '../layout/fields.ts';
import { readForm } from '../layout/form.ts';
import { PageError, type PageRoutes, page, seeOther } from '../layout/shell.ts';
import { faultRows, statusBadge } from './manifest-form.ts';

interface Waiting {
  readonly kind: 'app' | 'delivery';
  readonly id: string;
  readonly title: string;
  readonly company: string;
  readonly manifest: unknown;
  readonly live: unknown;
  readonly advice: readonly ManifestFault[];
}

function companyOf(manifest: { readonly [field: string]: unknown }): string {
  const vendor = (manifest.app_vendor ?? {}) as Record<string, unknown>;
  return typeof vendor.company_name === 'string' ? vendor.company_name : '';
}

function waiting(service: MockService): Waiting[] {
  const providers = service.state.providers
    .filter(({ status }) => status === 'submitted')
    .map(
      ({ id, manifest }): Waiting => ({
        kind: 'delivery',
        id: String(id),
        title: manifest.app_title,
        company: companyOf({ ...manifest }),
        manifest,
        live: null,
        advice: judgeDeliveryManifest(manifest),
      }),
    );
  const apps = service.state.apps
    .filter(({ status, pending }) => status === 'submitted' || (status === 'approved' && pending !== null))
    .map((app): Waiting => {
      const manifest = app.pending ?? app.manifest;
      return {
        kind: 'app',
        id: app.id,
        title: manifest.app_title,
        company: companyOf(manifest),
        manifest,
        live: app.pending ? app.manifest : null,
        advice: judgeAppManifest(manifest),
      };
    });
  return [...providers, ...apps];
}

/** A manifest without the developer's secret, which the operator must not see. */
const shown = (manifest: unknown): string =>
  JSON.stringify(manifest, (name, value) => (name === 'app_secret' ? '(not shown)' : value), 2);

function changedFields(item: Waiting): string[] {
  const before = (item.live ?? {}) as Record<string, unknown>;
  const after = item.manifest as Record<string, unknown>;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}

function waitingItem(item: Waiting): Html {
  const fields = html`<input type="hidden" name="kind" value="${item.kind}"><input type="hidden" name="id" value="${item.id}">`;
  return html`<section><h2>${item.title}</h2>
<p>${item.kind === 'app' ? 'App' : 'Delivery integration'} of ${item.company}${item.live !== null && html`; live, with changes to <code>${changedFields(item).join(', ')}</code>`}</p>
${item.advice.length > 0 && faultRows(item.advice)}
<details><summary>Manifest</summary><pre>${shown(item.manifest)}</pre></details>
${buttonForm({ action: '/operator/approve', text: 'Approve', name: `Approve ${item.title}`, fields })}
${buttonForm({ action: '/operator/refuse', text: 'Refuse', name: `Refuse ${item.title}`, fields, look: 'danger' })}</section>`;
}

function operatorPage(c: Context, service: MockService): Response {
  const items = waiting(service);
  const all = [
    ...service.state.providers.all().map((row) => ({ ...row, kind: 'Delivery integration' })),
    ...service.state.apps.all().map((row) => ({ ...row, kind: 'App' })),
  ];
  return page(c, {
    title: 'Operator',
    heading: 'Integrations that wait for approval',
    body: html`${items.length === 0 ? html`<section><p>No integration is waiting.</p></section>` : items.map(waitingItem)}
<section><h2>All integrations</h2><div class="scroll"><table><thead><tr><th scope="col">Title</th><th scope="col">Kind</th><th scope="col">State</th></tr></thead><tbody>
${all.map(({ manifest, kind, status }) => html`<tr><td>${manifest.app_title}</td><td>${kind}</td><td>${statusBadge(status)}</td></tr>`)}
</tbody></table></div></section>`,
  });
}

function decide(service: MockService, kind: string, id: string, approve: boolean): void {
  const { apps, providers } = service.state;
  service.change(() => {
    if (kind === 'delivery') {
      if (providers.get(id)?.status !== 'submitted')
        throw new PageError(409, 'This integration does not wait for approval.');
      providers.patch(id, { status: approve ? 'approved' : 'refused' });
      return;
    }
    const app = apps.get(id);
    if (kind !== 'app' || !app) throw new PageError(404, 'There is no such integration.');
    if (app.status === 'approved' && app.pending) {
      apps.patch(id, { manifest: approve ? app.pending : app.manifest, pending: null });
    } else if (app.status === 'submitted') {
      apps.patch(id, { status: approve ? 'approved' : 'refused' });
    } else {
      throw new PageError(409, 'This app does not wait for approval.');
    }
  });
}

/** Adds the pages under /operator/. */
export function mountOperator(routes: PageRoutes): void {
  const { service } = routes;

  routes.get('/operator/', (c) => operatorPage(c, service));

  for (const decision of ['approve', 'refuse'] as const) {
    routes.post(`/operator/${decision}`, async (c) => {
      const form = await readForm(c);
      decide(service, form.text('kind'), form.text('id'), decision === 'approve');
      return seeOther(c, '/operator/');
    });
  }
}
