/** The label itself: what the service fetches from label_url. */
import { hash } from 'node:crypto';
import pMap from 'p-map';
import { isTypeOfPdf } from '../../../contracts/traffic/integrator/labels/label-document.ts';
import { isWebAddress } from '../../../contracts/traffic/integrator/labels/tracking.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import { curlOf } from '../../../harness/evidence/curl.ts';
import { adviceOnOverload, isOverloaded } from '../../../harness/integrator/page/inspection/page-inspection.ts';
import { type DeliveryCheck, type DeliveryContext, deliveryCheck } from '../session.ts';
import { parameterOf } from '../steps/callbacks.ts';
import { countedAddresses } from '../steps/counted-addresses.ts';
import { documentAlone, documentAt, fetchLabel, type LabelDocument } from '../steps/documents/document.ts';
import { givenSuccess } from '../steps/user-flow.ts';
import { isSecure } from './page.ts';

const needs = ['browser', 'label-page'];
/** A label that does not come is waited for; two of them are enough to say so. */
const AT_A_TIME = 4;

interface Label {
  readonly name: string;
  /** The order that it was printed for. */
  readonly order: string | undefined;
  readonly url: string;
  readonly document: LabelDocument;
}

async function labels(context: DeliveryContext): Promise<Label[]> {
  const { session, given } = context;
  const named = (await givenSuccess(context)).flatMap(({ name, visit, callback }) => {
    const url = parameterOf(callback.pairs, 'label_url') ?? '';
    return isWebAddress(url) ? [{ name, order: parameterOf(visit.request.fields, 'order_uuid'), url }] : [];
  });
  given.holds(named.length > 0, 'provider.callback.label-url', 'no callback has the address of a label');
  const [first, ...rest] = named as [(typeof named)[0], ...typeof named];
  const one = { ...first, document: await documentAt(session, first.url) };
  // A label that does not come at all costs the longest wait each time.
  if (!one.document.isPdf && one.document.response === undefined) return [one];
  const others = await pMap(rest, async (label) => ({ ...label, document: await documentAt(session, label.url) }), {
    concurrency: AT_A_TIME,
  });
  const all: Label[] = [one, ...others];
  let stillBusy = 0;
  for (const [at, label] of all.entries()) {
    if (!isBusy(label) || stillBusy >= MAX_BUSY) continue;
    const again = { ...label, document: await documentAlone(session, label.url) };
    all[at] = again;
    if (isBusy(again)) stillBusy += 1;
  }
  return all;
}

/** The service fetches one label at a time: a server that refuses several at once says nothing about any of them. */
const isBusy = ({ document }: Label): boolean => document.response !== undefined && isOverloaded(document.response);
/** A server that refuses so many that are fetched alone refuses them all. */
const MAX_BUSY = 2;

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.label.is-pdf',
    'MUST serve a PDF at the label address',
    { clauses: ['provider.label.is-pdf'], needs },
    async (context) => {
      const all = await labels(context);
      const wrong = all.flatMap(({ name, url, document }) => (document.isPdf ? [] : [{ name, url, document }]));
      const [first] = wrong;
      context.restOn((wrong.length > 0 ? wrong : all).slice(0, 3).map(({ document }) => document.response?.exchange));
      const more = wrong.length > 1 ? ` (and ${wrong.length - 1} more)` : '';
      context.expect.that(
        first === undefined,
        `the document at the label_url for ${first?.name} is not a PDF: ${first?.document.why}${more}`,
        {
          expected: 'a PDF document with at least one page',
          ...(first === undefined
            ? {}
            : {
                actual: beginningOf(first.document),
                exchange: first.document.response?.exchange,
                curl: curlOf({ method: 'GET', url: first.url }, context.session.redaction),
              }),
        },
      );
    },
  ),
  deliveryCheck(
    'provider.label.content-type',
    'SHOULD NOT serve the label as a document of another kind',
    { clauses: ['provider.label.content-type'], needs },
    async (context) => {
      const all = (await labels(context)).filter(({ document }) => document.isPdf);
      context.given.holds(all.length > 0, 'provider.label.is-pdf', 'no label is a PDF');
      const typeOf = ({ document }: Label): string => document.response?.header('content-type') ?? '';
      const wrong = all.find((label) => !isTypeOfPdf(typeOf(label)));
      context.restOn([(wrong ?? all[0])?.document.response?.exchange]);
      context.expect.that(
        wrong === undefined,
        'the label is a PDF, and is served as another kind of document: browsers garble it. Serve it as application/pdf',
        {
          expected: 'application/pdf, or a type that names no kind of document',
          ...(wrong === undefined ? {} : { actual: typeOf(wrong), exchange: wrong.document.response?.exchange }),
        },
      );
    },
  ),
  deliveryCheck(
    'provider.label.begins-as-pdf',
    'SHOULD NOT serve anything in front of the PDF',
    { clauses: ['provider.label.well-formed'], needs },
    async (context) => {
      const all = (await labels(context)).filter(({ document }) => document.isPdf);
      context.given.holds(all.length > 0, 'provider.label.is-pdf', 'no label is a PDF');
      const wrong = all.find(({ document }) => inFrontOfPdf(document) !== '');
      context.restOn([(wrong ?? all[0])?.document.response?.exchange]);
      context.expect.that(
        wrong === undefined,
        'the label does not begin with %PDF-: what is in front of it makes the file a damaged one, which some readers repair and others refuse. Turn off the display of errors, and save the program without a byte order mark',
        {
          expected: '%PDF-',
          ...(wrong && { actual: inFrontOfPdf(wrong.document), exchange: wrong.document.response?.exchange }),
        },
      );
    },
  ),
  deliveryCheck(
    'provider.label.served-again',
    'SHOULD serve the label more than once',
    { clauses: ['provider.label.served-again'], needs },
    async (context) => {
      const [first] = (await labels(context)).filter(({ document }) => document.isPdf);
      const { url, document } = context.given.present(first, 'provider.label.is-pdf', 'no label is a PDF');
      const again = await fetchLabel(context.session, url);
      context.restOn([document.response?.exchange, again.response?.exchange]);
      // A host that has had enough of us says nothing about its labels.
      if (again.response !== undefined && isOverloaded(again.response))
        throw new Inconclusive(
          `the address of the label returns status ${again.response.status} when it is fetched again: ${adviceOnOverload(again.response)}`,
          'target',
        );
      context.expect.that(
        again.isPdf,
        'the label can be fetched only once: a second request, for example after the service has fetched the label, fails',
        {
          expected: 'the same PDF at each request',
          actual: beginningOf(again),
          exchange: again.response?.exchange,
          curl: curlOf({ method: 'GET', url }, context.session.redaction),
        },
      );
    },
  ),
  deliveryCheck(
    'provider.label.own-address',
    'SHOULD NOT serve labels to anyone at addresses that are counted up',
    { clauses: ['provider.label.own-address'], needs },
    async (context) => {
      const all = (await labels(context)).filter(({ document }) => document.isPdf);
      context.given.holds(all.length > 0, 'provider.label.is-pdf', 'no label is a PDF');
      const counted = countedAddresses(all.map(({ url }) => url));
      const shown = all.filter(({ url }) => counted.includes(url)).slice(0, 3);
      context.restOn((shown.length > 0 ? shown : all.slice(0, 1)).map(({ document }) => document.response?.exchange));
      context.expect.that(
        counted.length === 0,
        'the addresses of labels differ in a counter alone: anyone who has one of them can fetch the labels of other orders, with the names and addresses of their buyers. Add a part to each address that cannot be guessed',
        {
          expected: 'addresses that cannot be guessed from each other',
          actual: counted.slice(0, 3),
          exchange: shown[0]?.document.response?.exchange,
        },
      );
    },
  ),
  deliveryCheck(
    'provider.label.document-https',
    'SHOULD send https addresses of labels, except on this machine',
    { clauses: ['provider.label.document-https'], needs },
    async (context) => {
      const all = (await givenSuccess(context)).flatMap(({ name, callback: { pairs, received } }) => {
        const url = parameterOf(pairs, 'label_url') ?? '';
        return isWebAddress(url) ? [{ name, url, exchange: received.exchange }] : [];
      });
      context.given.holds(all.length > 0, 'provider.callback.label-url', 'no callback has the address of a label');
      const open = all.find(({ url }) => !isSecure(url));
      context.restOn([(open ?? all[0])?.exchange]);
      context.expect.that(
        open === undefined,
        `the label for ${open?.name} has an address with plain http: everyone on the way to the store's admin can read whom it is for`,
        { expected: 'an https address', actual: open && new URL(open.url).origin, exchange: open?.exchange },
      );
    },
  ),
  deliveryCheck(
    'provider.label.same-file-observed',
    'OBSERVES whether the labels of different orders differ',
    { clauses: [], observations: ['provider.label.same-file'], needs },
    async (context) => {
      const all = (await labels(context)).filter(({ document }) => document.isPdf);
      context.given.holds(all.length > 0, 'provider.label.is-pdf', 'no label is a PDF');
      if (all.length < MIN_COMPARED) {
        context.observe('provider.label.same-file', 'too few labels to compare');
        return;
      }
      const files = new Set(all.map(digestOf)).size;
      context.observe('provider.label.same-file', files === 1 ? 'all labels are the same file' : 'they differ');
      // Until its approval an integration may print the same sample for every order.
      const shared = files === 1 ? undefined : sharedAddress(all);
      if (shared !== undefined)
        context.warn(
          `${shared.map(({ name }) => name).join(' and ')} have one label_url: the label of the later one replaces the other. Give each label an address of its own, which neither a clock nor the order's contents decide.`,
        );
    },
  ),
];

/** So many orders differ in more than one thing. */
const MIN_COMPARED = 3;

/** Two labels of different orders at one address. */
function sharedAddress(all: readonly Label[]): readonly [Label, Label] | undefined {
  const first = new Map<string, Label>();
  for (const label of all) {
    const other = first.get(label.url);
    if (other === undefined) first.set(label.url, label);
    else if (other.order !== label.order) return [other, label];
  }
  return undefined;
}

const digestOf = ({ document: { response } }: Label): string => hash('sha256', response?.bytes ?? '');

/** What a document has in front of its PDF, white space left out. Readers skip some of it. */
const inFrontOfPdf = ({ response }: LabelDocument): string =>
  Buffer.from(response?.bytes.subarray(0, 1_024) ?? '')
    .toString('latin1')
    .split('%PDF-', 1)[0]!
    .replace(/^[\s\0]+$/, '');

/** Enough of a document to know it again, where it is a text. */
function beginningOf({ response }: LabelDocument): string {
  if (response === undefined) return 'no complete response';
  const text = Buffer.from(response.bytes.subarray(0, 80))
    .toString('latin1')
    .replace(/[^\x20-\x7e]+/g, ' ');
  return `status ${response.status}, ${response.header('content-type') ?? 'no content type'}, ${response.bytes.length} bytes: ${text}`;
}
