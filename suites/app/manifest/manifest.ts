/** The app's manifest: each rule of the spec is a check, every fault is named by its pointer and line. */
import { APP_MANIFEST, placeIn, placesOf } from '../../../contracts/fields/catalogue/manifests.ts';
import type { ManifestFault } from '../../../contracts/manifests/index.ts';
import type { CheckTitle } from '../../../harness/check/facts.ts';
import { type AppCheck, type AppContext, appCheck } from '../session.ts';

interface Row {
  readonly id: string;
  readonly title: CheckTitle;
  readonly clauses: readonly string[];
  readonly holds: (fault: ManifestFault) => boolean;
}

/** Faults of a field (and of what is in it) that break the contract. */
const must =
  (pointer: string, rule: (name: string) => boolean = () => true) =>
  (fault: ManifestFault): boolean =>
    fault.level === 'MUST' &&
    (fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`)) &&
    rule(fault.rule);

const should =
  (...rules: string[]) =>
  (fault: ManifestFault): boolean =>
    fault.level === 'SHOULD' && rules.includes(fault.rule);

const isHttps = (rule: string): boolean => rule === 'manifest.https';
const isOther = (rule: string): boolean => rule !== 'manifest.https';

const PLACES = placesOf(APP_MANIFEST);

/** The field whose presence and form the clause of this id states. */
const field = (id: string, says: string): Row => ({
  id,
  title: `MUST ${says}`,
  clauses: [id],
  holds: must(placeIn(PLACES, id), isOther),
});

/** Pages that the integrator hosts. */
const HOSTED = [placeIn(PLACES, 'app.manifest.install-url'), placeIn(PLACES, 'app.manifest.settings-url')];

/** The owner of a fault: exactly one row holds each. */
const ROWS: readonly Row[] = [
  field('app.manifest.app-type', 'have the app_type APP'),
  field('app.manifest.app-title', 'have app_title as a string'),
  field('app.manifest.display-title', 'have app_display_title, if present, as a string or one string per language'),
  field('app.manifest.version', 'have an app_version in the form x.y.z'),
  field('app.manifest.description-short', 'have a short description, as a string or one string per language'),
  field('app.manifest.description-full', 'have a full description, as a string or one string per language'),
  field('app.manifest.screenshots', 'have app_screenshots, if present, as one image address or one per language'),
  {
    id: 'app.manifest.vendor',
    title: 'MUST have app_vendor as an object',
    clauses: ['app.manifest.vendor'],
    holds: (fault) => fault.level === 'MUST' && fault.pointer === PLACES['app.manifest.vendor'],
  },
  field('app.manifest.vendor-company-name', "have the vendor's company_name"),
  field('app.manifest.vendor-support-email', "have the vendor's support_email, as a string or one string per language"),
  field('app.manifest.vendor-support-phone', "have the vendor's support_phone, as a string or one string per language"),
  field('app.manifest.vendor-developer-email', "have the vendor's developer_email"),
  field('app.manifest.vendor-company-url', "have the vendor's company_url, as a string or one string per language"),
  field('app.manifest.vendor-support-url', "have the vendor's support_url, as a string or one string per language"),
  field('app.manifest.vendor-privacy-url', "have the vendor's privacy_url, as a string or one string per language"),
  field('app.manifest.vendor-tos-url', "have the vendor's tos_url, as a string or one string per language"),
  field('app.manifest.permissions', 'request exactly the permission FULL'),
  field('app.manifest.tab-mode', 'have the app_tab_mode blank or self'),
  field('app.manifest.install-url', 'have an app_install_url that is a web address'),
  field('app.manifest.settings-url', 'have an app_settings_url that is a web address'),
  {
    id: 'app.manifest.https',
    title: 'MUST have install and settings addresses over https, except on this machine',
    clauses: ['app.manifest.https'],
    holds: (fault) => HOSTED.some((place) => must(place, isHttps)(fault)),
  },
  field('app.manifest.secret', 'have app_secret as a non-empty string'),
  {
    id: 'app.manifest.texts-not-empty',
    title: 'SHOULD NOT leave a text of the manifest empty',
    clauses: ['app.manifest.texts-not-empty'],
    holds: should('manifest.text.empty'),
  },
  {
    id: 'app.manifest.description-is-brief',
    title: 'SHOULD have a short description of at most two lines',
    clauses: ['app.manifest.description-is-brief'],
    holds: should('manifest.description-brief'),
  },
  {
    id: 'app.manifest.screenshot-for-each-language',
    title: "SHOULD have a screenshot for each language of the manifest's texts",
    clauses: ['app.manifest.screenshots'],
    holds: should('manifest.screenshots-per-language'),
  },
  {
    id: 'app.manifest.valid-email-addresses',
    title: 'SHOULD have syntactically valid e-mail addresses',
    clauses: ['app.manifest.vendor-developer-email', 'app.manifest.vendor-support-email'],
    holds: should('manifest.email'),
  },
  {
    id: 'app.manifest.secret-is-strong',
    title: 'SHOULD have a strong app_secret without leading or trailing whitespace',
    clauses: ['app.manifest.secret-is-strong'],
    holds: should('manifest.secret-weak', 'manifest.secret-whitespace'),
  },
  {
    id: 'app.manifest.secret-not-repeated',
    title: 'SHOULD NOT repeat the app_secret in another field',
    clauses: ['app.manifest.secret'],
    holds: should('manifest.secret-elsewhere'),
  },
];

/** Faults of addresses other than the two pages: judged together with whether they can be reached (icon.ts, addresses.ts). */
export const isAddressAdvice = should('manifest.url', 'manifest.https');

/** Every fault with its place, as sentences. */
function faultSentences(context: AppContext, faults: readonly ManifestFault[]): string {
  const { app } = context.session;
  return faults
    .map(
      ({ pointer, message }) =>
        `line ${app.lineOf(pointer)}, ${pointer === '' ? 'the whole manifest' : pointer}: ${message}`,
    )
    .join(' ');
}

/** Asserts that none of these faults was found in the manifest; the first one gives the place. */
export function expectNoFaults(context: AppContext, faults: readonly ManifestFault[]): void {
  const [first] = faults;
  context.expect.that(first === undefined, faultSentences(context, faults), {
    ...(first === undefined ? {} : { pointer: first.pointer }),
  });
}

export const checks: readonly AppCheck[] = ROWS.map(({ id, title, clauses, holds }) =>
  appCheck(id, title, { clauses, needs: [] }, async (context) => {
    expectNoFaults(context, context.session.app.faults.filter(holds));
  }),
);

/** The checks that report a fault. */
export const ownersOf = (fault: ManifestFault): readonly Pick<Row, 'id' | 'clauses'>[] =>
  ROWS.filter(({ holds }) => holds(fault));

/** Faults of the icon's address: reported where the icon is inspected. */
export const isIconFault = must(placeIn(PLACES, 'app.manifest.icon-url'));
