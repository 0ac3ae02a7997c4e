/**
 * Store admin: the settings forms that delivery providers declare in their manifests (`delivery_api_data_fields`). What is
 * entered here is what `POST /store/delivery_provider_settings/` returns for this store's orders.
 */
import type { Context } from 'hono';
import { type DataField, type FieldValue, type Provider, textIn, type Website } from '../../state/state.ts';
import type { MockService } from '../../types/service.ts';
import { type Html, html } from '../html.ts';
import { checkbox, textField } from '../layout/fields.ts';
import { type Form, readForm } from '../layout/form.ts';
import { PageError, type PageRoutes, page, seeOther } from '../layout/shell.ts';
import { linkTo } from './orders.ts';
import { forStore, STORE_LINKS, type StoreSession } from './session.ts';

const MAX_VALUE_CHARACTERS = 10_000;

function providersOf(service: MockService, session: StoreSession): Provider[] {
  return service.state.providers.filter(
    (provider) => provider.status === 'approved' || provider.id === session.provider?.id,
  );
}

const valuesOf = (website: Website, provider: Provider): Readonly<Record<string, FieldValue>> =>
  website.deliverySettings[String(provider.id)] ?? {};

function fieldInput(field: DataField, website: Website, provider: Provider): Html {
  const stored = Object.hasOwn(valuesOf(website, provider), field.id)
    ? valuesOf(website, provider)[field.id]
    : undefined;
  const parts = {
    name: field.id,
    label: textIn(field.title, website.defaultLanguage, website) || field.id,
    form: `provider-${provider.id}`,
  };
  if (field.type === 'checkbox') return checkbox({ ...parts, checked: stored === true });
  if (field.type === 'password') {
    const kept = typeof stored === 'string' && stored !== '';
    return textField({
      ...parts,
      type: 'password',
      hint: kept ? 'leave empty to keep it' : '',
      required: field.required === true && !kept,
    });
  }
  return textField({ ...parts, type: field.type, value: String(stored ?? ''), required: field.required === true });
}

function settingsPage(c: Context, service: MockService, session: StoreSession, problem?: string): Response {
  const providers = providersOf(service, session);
  const sections = providers.map((provider) => {
    const fields = provider.manifest.delivery_api_data_fields ?? [];
    const info = provider.manifest.delivery_service_info?.info_url;
    const about = info === undefined ? '' : textIn(info, session.website.defaultLanguage, session.website);
    return html`<section><h2>${provider.manifest.app_title}</h2>
${about !== '' && html`<p>${linkTo(about)}</p>`}
${
  fields.length === 0
    ? html`<p>This provider has no settings.</p>`
    : html`<form method="post" action="/admin/delivery-settings/${provider.id}">
${fields.map((field) => fieldInput(field, session.website, provider))}<button>Save the settings of ${provider.manifest.app_title}</button></form>`
}</section>`;
  });
  return page(c, {
    title: 'Integration settings',
    links: STORE_LINKS,
    status: problem ? 400 : 200,
    body: html`${problem && html`<section role="alert" class="bad">${problem}</section>`}
${sections.length === 0 ? html`<section><p>No delivery provider serves the stores yet.</p></section>` : sections}`,
  });
}

/** The value of one field, or a sentence about what is wrong with it. */
function submittedValue(
  field: DataField,
  form: Form,
  before: FieldValue | undefined,
): { value: FieldValue } | { wrong: string } {
  const sent = form.text(field.id);
  if (field.type === 'checkbox') {
    const value = form.has(field.id);
    return field.required && !value ? { wrong: 'must be ticked' } : { value };
  }
  if (sent.length > MAX_VALUE_CHARACTERS) return { wrong: `is longer than ${MAX_VALUE_CHARACTERS} characters` };
  if (field.type === 'password' && sent === '' && typeof before === 'string') return { value: before };
  if (field.required && sent.trim() === '') return { wrong: 'must be filled in' };
  if (field.type === 'email' && sent !== '' && !/^[^\s@]+@[^\s@]+$/.test(sent))
    return { wrong: 'must be an e-mail address' };
  return { value: sent };
}

/** Adds the page of the settings forms. */
export function mountDeliverySettings(routes: PageRoutes): void {
  const { service } = routes;

  routes.get(
    '/admin/delivery-settings/',
    forStore(service, (c, session) => settingsPage(c, service, session)),
  );

  routes.post(
    '/admin/delivery-settings/:provider',
    forStore(service, async (c, session) => {
      const form = await readForm(c);
      const provider = providersOf(service, session).find(({ id }) => String(id) === c.req.param('provider'));
      if (!provider) throw new PageError(404, 'There is no such delivery provider.');
      const { website } = session;
      const before = valuesOf(website, provider);
      const kept: [string, FieldValue][] = [];
      for (const field of provider.manifest.delivery_api_data_fields ?? []) {
        const taken = submittedValue(field, form, Object.hasOwn(before, field.id) ? before[field.id] : undefined);
        const label = textIn(field.title, website.defaultLanguage, website) || field.id;
        if ('wrong' in taken) return settingsPage(c, service, session, `${label} ${taken.wrong}.`);
        kept.push([field.id, taken.value]);
      }
      const deliverySettings = { ...website.deliverySettings, [String(provider.id)]: Object.fromEntries(kept) };
      service.change(() => service.state.websites.patch(String(website.id), { deliverySettings }));
      return seeOther(c, '/admin/delivery-settings/');
    }),
  );
}
