/** Fields of the two manifests (spec: Resources and their fields, Delivery provider manifest (A); App manifest (B)). */
import type { FaultLevel } from '../../run/fault.ts';

/** What a field holds. A localized one is a string, or an object from language code to string. */
export type ManifestKind =
  | 'text'
  | 'localized text'
  | 'email'
  | 'localized email'
  | 'address'
  | 'localized address'
  | 'choice'
  | 'version'
  | 'permissions'
  | 'secret'
  | 'boolean'
  | 'object'
  | 'list of objects';

export interface ManifestRow {
  readonly kind: ManifestKind;
  /** Clause that a missing mandatory field or a value of another form breaks. */
  readonly clause: string;
  readonly isMandatory: boolean;
  /** For an address: the level that a text which is not an address breaks; a MUST where the field is defined as URL or link. */
  readonly url?: FaultLevel;
  /** For an address over plain http: the level that it breaks; a MUST for pages that the integrator hosts. */
  readonly https?: FaultLevel;
  readonly choices?: readonly string[];
  /** Fields of an object, or of each object in a list. */
  readonly fields?: ManifestRows;
}

export type ManifestRows = Readonly<Record<string, ManifestRow>>;

/** What a store admin can be asked for. */
export const DATA_FIELD_TYPES = ['text', 'password', 'checkbox', 'email'] as const;

type More = Omit<ManifestRow, 'kind' | 'clause' | 'isMandatory'>;

const mandatory = (kind: ManifestKind, clause: string, more: More = {}): ManifestRow => ({
  ...{ kind, clause, isMandatory: true },
  ...more,
});
const optional = (kind: ManifestKind, clause: string, more: More = {}): ManifestRow => ({
  ...{ kind, clause, isMandatory: false },
  ...more,
});

const HOSTED_PAGE = { url: 'MUST', https: 'MUST' } as const;
const LINK = { url: 'MUST', https: 'SHOULD' } as const;
/** Only the name of the field says that it is an address. */
const PERHAPS_LINK = { url: 'SHOULD', https: 'SHOULD' } as const;

export const PROVIDER_MANIFEST = {
  app_type: mandatory('choice', 'provider.manifest.app-type', { choices: ['DELIVERY_SERVICE'] }),
  app_title: mandatory('text', 'provider.manifest.app-title'),
  app_vendor: mandatory('object', 'provider.manifest.vendor', {
    fields: {
      company_name: mandatory('text', 'provider.manifest.vendor-company-name'),
      support_email: mandatory('email', 'provider.manifest.vendor-support-email'),
      support_phone: mandatory('text', 'provider.manifest.vendor-support-phone'),
      developer_email: mandatory('email', 'provider.manifest.vendor-developer-email'),
    },
  }),
  delivery_api_data_fields: optional('list of objects', 'provider.manifest.data-fields', {
    fields: {
      id: mandatory('text', 'provider.manifest.data-field-id'),
      title: mandatory('localized text', 'provider.manifest.data-field-title'),
      type: mandatory('choice', 'provider.manifest.data-field-type', { choices: DATA_FIELD_TYPES }),
      required: optional('boolean', 'provider.manifest.data-field-required'),
    },
  }),
  delivery_service_info: optional('object', 'provider.manifest.service-info', {
    fields: { info_url: optional('localized address', 'provider.manifest.info-url', PERHAPS_LINK) },
  }),
} as const satisfies ManifestRows;

export const APP_MANIFEST = {
  app_type: mandatory('choice', 'app.manifest.app-type', { choices: ['APP'] }),
  app_title: mandatory('text', 'app.manifest.app-title'),
  app_display_title: optional('localized text', 'app.manifest.display-title'),
  app_icon: mandatory('address', 'app.manifest.icon-url', LINK),
  app_version: mandatory('version', 'app.manifest.version'),
  app_description_short: mandatory('localized text', 'app.manifest.description-short'),
  app_description_full: mandatory('localized text', 'app.manifest.description-full'),
  app_screenshots: optional('localized address', 'app.manifest.screenshots', LINK),
  app_vendor: mandatory('object', 'app.manifest.vendor', {
    fields: {
      company_name: mandatory('text', 'app.manifest.vendor-company-name'),
      support_email: mandatory('localized email', 'app.manifest.vendor-support-email'),
      support_phone: mandatory('localized text', 'app.manifest.vendor-support-phone'),
      developer_email: mandatory('email', 'app.manifest.vendor-developer-email'),
      company_url: mandatory('localized address', 'app.manifest.vendor-company-url', PERHAPS_LINK),
      support_url: mandatory('localized address', 'app.manifest.vendor-support-url', PERHAPS_LINK),
      privacy_url: mandatory('localized address', 'app.manifest.vendor-privacy-url', PERHAPS_LINK),
      tos_url: mandatory('localized address', 'app.manifest.vendor-tos-url', PERHAPS_LINK),
    },
  }),
  app_permissions: mandatory('permissions', 'app.manifest.permissions'),
  app_tab_mode: mandatory('choice', 'app.manifest.tab-mode', { choices: ['blank', 'self'] }),
  app_install_url: mandatory('address', 'app.manifest.install-url', HOSTED_PAGE),
  app_settings_url: mandatory('address', 'app.manifest.settings-url', HOSTED_PAGE),
  app_secret: mandatory('secret', 'app.manifest.secret'),
} as const satisfies ManifestRows;

/** The field of each clause, as a JSON pointer in which `*` is the place in a list. */
export function placesOf(rows: ManifestRows, above = ''): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(rows).flatMap(([name, { clause, kind, fields }]) => {
      const place = `${above}/${name}`;
      const inside = fields === undefined ? {} : placesOf(fields, kind === 'list of objects' ? `${place}/*` : place);
      return [[clause, place] as const, ...Object.entries(inside)];
    }),
  );
}

/** The place of the field of a clause. Throws where no row has the clause: a misspelt one would judge nothing. */
export function placeIn(places: Readonly<Record<string, string>>, clause: string): string {
  const place = places[clause];
  if (place === undefined)
    throw new Error(`No field of the manifest has the clause ${clause}: add a row or correct it.`);
  return place;
}
