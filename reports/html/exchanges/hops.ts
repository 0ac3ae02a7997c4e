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
    ...shownOf([...parametersOf(query), ...formOf(exchange)]),
    status: response?.status ?? null,
    location,
    durationMs: exchange.durationMs,
  };
}

type Parameter = readonly [name: string, value: string];

/** The first parameters, and the one that proves who sent them, wherever it is. */
function shownOf(all: readonly Parameter[]): Pick<Hop, 'parameters' | 'moreParameters'> {
  const proofs = all.slice(MAX_PARAMETERS).filter(([name]) => PROOFS.includes(name));
  const parameters = [...all.slice(0, MAX_PARAMETERS), ...proofs.slice(0, PROOFS.length)];
  return { parameters, moreParameters: all.length - parameters.length };
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

/** The timeline, from the first hop on; times are counted from it. */
export function timelineMarkup(all: readonly Hop[], party: 'service' | 'integrator'): Markup {
  // Exchanges are numbered when they end; a sequence is read as it began. Times that can't be read leave the order as it is.
  const hops = [...all].sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.n - b.n).slice(0, MAX_HOPS);
  const begun = Date.parse(hops[0]?.at ?? '');
  const target = party === 'service' ? 'Service' : 'Integrator';
  const rows = hops.map((hop) => {
    const [from, to] = hop.direction === 'received' ? [target, 'Proofmark'] : ['Proofmark', target];
    const after = Number.isNaN(begun) ? '' : `+${duration(Math.max(0, Date.parse(hop.at) - begun))}`;
    const parameters = hop.parameters.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`);
    return html`<li class="hop ${hop.direction}"><span class="when">${after}</span><div><p><b>${from} → ${to}</b> <code>${hop.method} ${clip(hop.place, 200)}</code> <a href="#exchange-${hop.n}">#${hop.n}</a> <span class="quiet">${hop.role}</span></p>${
      parameters.length > 0 && html`<dl class="facts">${parameters}</dl>`
    }${hop.moreParameters > 0 && html`<p class="quiet">and ${count(hop.moreParameters, 'more parameter')}</p>`}<p class="quiet">Response: ${hop.status ?? 'none'}${hop.location !== null && html`, leads to <code>${clip(hop.location, 200)}</code>`}, ${duration(hop.durationMs)}</p></div></li>`;
  });
  const rest = all.length - hops.length;
  return html`<ol class="timeline">${rows}</ol>${rest > 0 && html`<p class="quiet">${count(rest, 'more hop')} among the exchanges.</p>`}`;
}
