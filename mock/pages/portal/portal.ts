/** Pages of a setup portal: the list of integrations, a new one, and the details of one with its manifest, key and approval. */
import type { Context } from 'hono';
import type { ManifestFault } from '../../../contracts/manifests/index.ts';
import type { ApprovalStatus } from '../../state/state.ts';
import type { MockService } from '../../types/service.ts';
import { type Html, html } from '../html.ts';
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
  type SubmittedManifest,
  statusBadge,
} from './manifest-form.ts';

/** What both kinds of integration have. */
export interface Integration {
  readonly id: string | number;
  readonly apiKey: string;
  readonly keyShown: boolean;
  readonly status: ApprovalStatus;
  readonly manifest: { readonly app_title: string };
}

/** What differs between the two portals. */
export interface Portal<Row extends Integration> {
  /** Address of the list; the other pages are below it. */
  readonly base: `/portal/${string}/`;
  readonly words: {
    readonly list: string;
    /** Head of the column with the names. */
    readonly column: string;
    readonly create: string;
    readonly key: string;
    /** What one is called in an error: "Your account has no such …", "The key of this … was shown already". */
    readonly unknown: string;
    readonly one: string;
  };
  readonly example: { readonly app_vendor: object };
  readonly judge: (value: unknown) => ManifestFault[];
  readonly rows: (service: MockService) => readonly Row[];
  readonly create: (service: MockService, manifest: object) => Row;
  readonly change: (service: MockService, row: Row, change: Partial<Pick<Row, 'keyShown' | 'status'>>) => void;
  /** Keeps a manifest that was edited, and returns the integration with it. */
  readonly keep: (service: MockService, row: Row, manifest: object) => Row;
  /** The text in the form of the manifest. */
  readonly shown: (row: Row) => string;
  /** The text in the form after a manifest was saved; left out: as it was typed. */
  readonly shownWhenSaved?: (row: Row) => string;
  /** What approval means now. */
  readonly note: (row: Row) => string;
  /** A badge beside the state of approval. */
  readonly badge?: (row: Row) => Html | false;
  /** The section before the key, and the one after the manifest. */
  readonly beforeKey?: (row: Row) => Html;
  readonly afterManifest?: () => Html;
  readonly save: (row: Row) => { readonly button: string; readonly about?: string };
}

const pathOf = <Row extends Integration>({ base }: Portal<Row>, { id }: Row): string =>
  `${base}${encodeURIComponent(String(id))}`;

function ownRow<Row extends Integration>(c: Context, service: MockService, portal: Portal<Row>, account: string): Row {
  const row = portal.rows(service).find(({ id }) => String(id) === c.req.param('id'));
  if (!row || accountOf({ ...row.manifest }) !== account)
    throw new PageError(404, `Your account has no such ${portal.words.unknown}.`);
  return row;
}

const problemSection = (problem: string | undefined): Html | '' =>
  problem === undefined ? '' : html`<section role="alert" class="bad">${problem}</section>`;

function detailsPage<Row extends Integration>(
  c: Context,
  portal: Portal<Row>,
  row: Row,
  submitted?: SubmittedManifest,
  problem?: string,
): Response {
  const path = pathOf(portal, row);
  const text = submitted?.text ?? portal.shown(row);
  return page(c, {
    title: row.manifest.app_title,
    links: PORTAL_LINKS,
    status: submitted?.manifest === null || problem ? 400 : 200,
    body: html`
${submitted && faultList(submitted)}
${problemSection(problem)}
${approvalSection({ action: `${path}/submit`, status: row.status, note: portal.note(row) })}
${portal.beforeKey?.(row)}
${keySection({ action: `${path}/key`, name: portal.words.key, shown: row.keyShown })}
<section><h2>Manifest${portal.badge?.(row)}</h2>
${manifestForm({ action: `${path}/manifest`, text, ...portal.save(row) })}</section>
${portal.afterManifest?.()}`,
  });
}

function newPage<Row extends Integration>(
  c: Context,
  { base, words, example }: Portal<Row>,
  account: string,
  submitted?: SubmittedManifest,
  problem?: string,
): Response {
  const own = { ...example, app_vendor: { ...example.app_vendor, developer_email: account } };
  const text = submitted?.text ?? JSON.stringify(own, null, 2);
  return page(c, {
    title: words.create,
    links: PORTAL_LINKS,
    status: submitted ? 400 : 200,
    body: html`${submitted && faultList(submitted)}
${problemSection(problem)}
<section>${manifestForm({ action: base, text, button: 'Submit the manifest' })}</section>`,
  });
}

const listPage = <Row extends Integration>(c: Context, portal: Portal<Row>, own: readonly Row[]): Response =>
  page(c, {
    title: portal.words.list,
    links: PORTAL_LINKS,
    body: html`<section>${
      own.length === 0
        ? html`<p>You have none yet.</p>`
        : html`<table><thead><tr><th scope="col">${portal.words.column}</th><th scope="col">State</th></tr></thead><tbody>
${own.map((row) => html`<tr><td><a href="${pathOf(portal, row)}">${row.manifest.app_title}</a></td><td>${statusBadge(row.status)}${portal.badge?.(row)}</td></tr>`)}
</tbody></table>`
    }</section><p><a class="button" href="${portal.base}new">${portal.words.create}</a></p>`,
  });

/** Adds the pages of a portal. */
export function mountPortal<Row extends Integration>(routes: PageRoutes, portal: Portal<Row>): void {
  const { service } = routes;
  const { base, words } = portal;
  const own = (c: Context, account: string): Row => ownRow(c, service, portal, account);
  const submittedBy = async (c: Context): Promise<SubmittedManifest> =>
    readManifest((await readForm(c)).text('manifest'), portal.judge);

  routes.get(
    base,
    forAccount(service, (c, account) => {
      const rows = portal.rows(service).filter(({ manifest }) => accountOf({ ...manifest }) === account);
      return listPage(c, portal, rows);
    }),
  );

  routes.get(
    `${base}new`,
    forAccount(service, (c, account) => newPage(c, portal, account)),
  );

  routes.post(
    base,
    forAccount(service, async (c, account) => {
      const submitted = await submittedBy(c);
      if (submitted.manifest === null) return newPage(c, portal, account, submitted);
      if (accountOf(submitted.manifest) !== account) {
        const problem = `The manifest’s developer_email must be that of your account, ${account}.`;
        return newPage(c, portal, account, submitted, problem);
      }
      return seeOther(c, pathOf(portal, portal.create(service, submitted.manifest)));
    }),
  );

  routes.get(
    `${base}:id`,
    forAccount(service, (c, account) => detailsPage(c, portal, own(c, account))),
  );

  routes.post(
    `${base}:id/manifest`,
    forAccount(service, async (c, account) => {
      const submitted = await submittedBy(c);
      const row = own(c, account);
      if (submitted.manifest === null) return detailsPage(c, portal, row, submitted);
      if (accountOf(submitted.manifest) !== account) {
        const problem = `The manifest’s developer_email must remain that of your account, ${account}.`;
        return detailsPage(c, portal, row, submitted, problem);
      }
      const kept = portal.keep(service, row, submitted.manifest);
      return detailsPage(c, portal, kept, { ...submitted, text: portal.shownWhenSaved?.(kept) ?? submitted.text });
    }),
  );

  routes.post(
    `${base}:id/key`,
    forAccount(service, (c, account) => {
      const row = own(c, account);
      if (row.keyShown) throw new PageError(410, `The key of this ${words.one} was shown already.`);
      portal.change(service, row, { keyShown: true });
      const body = keyBody({ name: words.key, key: row.apiKey, back: pathOf(portal, row) });
      return page(c, { title: row.manifest.app_title, links: PORTAL_LINKS, body });
    }),
  );

  routes.post(
    `${base}:id/submit`,
    forAccount(service, (c, account) => {
      const row = own(c, account);
      if (row.status === 'draft' || row.status === 'refused') portal.change(service, row, { status: 'submitted' });
      return seeOther(c, pathOf(portal, row));
    }),
  );
}
