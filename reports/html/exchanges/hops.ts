/**
 * A sequence between several parties (signing, printing a label, installing an app) as a timeline of hops: who called whom, with
 * the parameters that the sequence is about. Only checks that met such a sequence have one.
 */
import type { Exchange } from '../../../contracts/run/events.ts';
import { clip, count, duration } from '../../words/text.ts';
import { html, type Markup } from '../markup.ts';

export interface Hop {
  readonly n: number;
  readonly direction: Exchange['direction'];
  readonly role: string;
  readonly at: string;
  readonly method: string;
  readonly place: string;
  readonly parameters: ReadonlyArray<readonly [name: string, value: string]>;
  /** How many parameters are not shown. */
  readonly moreParameters: number;
  readonly status: number | null;
  readonly location: string | null;
  readonly durationMs: number;
}

const MAX_HOPS = 30;
/** Label requests have some 35. */
const MAX_KEPT_PARAMETERS = 60;
const MAX_PARAMETERS = 12;
const MAX_VALUE_CHARACTERS = 120;
/** Parameters that prove who sent a request. */
const PROOFS = ['signature', 'hash'];
/** A form of this length is not a call of a sequence. */
const MAX_FORM_CHARACTERS = 20_000;

/** What a timeline shows of an exchange. */
export function hopOf(exchange: Exchange): Hop {
  const { request, response } = exchange;
  const [address = '', query = ''] = request.url.split('#', 1)[0]?.split(/\?(.*)/s) ?? [];
  const location = response?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? null;
  return {
    n: exchange.n,
    direction: exchange.direction,
    role: exchange.role,
    at: exchange.at,
    method: request.method,
    place: address,
    ...keptOf([...parametersOf(query), ...formOf(exchange)]),
    status: response?.status ?? null,
    location,
    durationMs: exchange.durationMs,
  };
}

type Parameter = readonly [name: string, value: string];

function keptOf(all: readonly Parameter[]): Pick<Hop, 'parameters' | 'moreParameters'> {
  const parameters = all.slice(0, MAX_KEPT_PARAMETERS);
  return { parameters, moreParameters: all.length - parameters.length };
}

/** The first parameters, those that the finding is about, and the one that proves who sent them, wherever they are. */
function shownOf(all: readonly Parameter[], finding: string): Parameter[] {
  const words = new Set(finding.split(/[^\w-]+/));
  const later = all.slice(MAX_PARAMETERS).filter(([name]) => PROOFS.includes(name) || words.has(name));
  return [...all.slice(0, MAX_PARAMETERS), ...later.slice(0, MAX_PARAMETERS)];
}

function formOf({ request }: Exchange): Array<readonly [string, string]> {
  const isForm = request.headers.some(
    ([name, value]) => name.toLowerCase() === 'content-type' && value.includes('x-www-form-urlencoded'),
  );
  const text = request.body?.text;
  return isForm && text !== undefined && text.length <= MAX_FORM_CHARACTERS ? parametersOf(text) : [];
}

function parametersOf(query: string): Array<readonly [string, string]> {
  return [...new URLSearchParams(query)].map(([name, value]) => [
    clip(name, MAX_VALUE_CHARACTERS),
    clip(value, MAX_VALUE_CHARACTERS),
  ]);
}

/** Whether the exchanges are a sequence: a party called us, or a redirect led on. */
export function isSequence(hops: readonly Hop[]): boolean {
  return hops.length > 1 && hops.some(({ direction }) => direction === 'received');
}

/** The timeline, from the first hop on; times are counted from it. `finding` names the parameters that it is about. */
export function timelineMarkup(all: readonly Hop[], party: 'service' | 'integrator', finding = ''): Markup {
  // Exchanges are numbered when they end; a sequence is read as it began. Times that can't be read leave the order as it is.
  const hops = [...all].sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.n - b.n).slice(0, MAX_HOPS);
  const begun = Date.parse(hops[0]?.at ?? '');
  const target = party === 'service' ? 'Service' : 'Integrator';
  const rows = hops.map((hop) => {
    const [from, to] = hop.direction === 'received' ? [target, 'Proofmark'] : ['Proofmark', target];
    const after = Number.isNaN(begun) ? '' : `+${duration(Math.max(0, Date.parse(hop.at) - begun))}`;
    const shown = shownOf(hop.parameters, finding);
    const more = hop.moreParameters + hop.parameters.length - shown.length;
    const parameters = shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`);
    return html`<li class="hop ${hop.direction}"><span class="when">${after}</span><div><p><b>${from} → ${to}</b> <code>${hop.method} ${clip(hop.place, 200)}</code> <a href="#exchange-${hop.n}">#${hop.n}</a> <span class="quiet">${hop.role}</span></p>${
      parameters.length > 0 && html`<dl class="facts">${parameters}</dl>`
    }${more > 0 && html`<p class="quiet">and ${count(more, 'more parameter')}</p>`}<p class="quiet">Response: ${hop.status ?? 'none'}${hop.location !== null && html`, leads to <code>${clip(hop.location, 200)}</code>`}, ${duration(hop.durationMs)}</p></div></li>`;
  });
  const rest = all.length - hops.length;
  return html`<ol class="timeline">${rows}</ol>${rest > 0 && html`<p class="quiet">${count(rest, 'more hop')} among the exchanges.</p>`}`;
}
