/** The first screen: the verdict, the figures behind it, a bar for each interface, and what exactly was judged. */
import { type Outcome, VERDICTS } from '../../../contracts/run/verdicts.ts';
import { INTERFACES, interfaceOf } from '../../findings/interfaces.ts';
import type { Results } from '../../results/index.ts';
import { countOf, headlineOf, VERDICT_WORDS } from '../../words/summary.ts';
import { count, duration, grouped } from '../../words/text.ts';
import { html, type Markup } from '../markup.ts';
import { bar, sharesOf, tally, VERDICT_SYMBOLS } from '../pieces.ts';

const TONES = {
  conformant: 'pass',
  'non-conformant': 'fail',
  inconclusive: 'inconclusive',
  error: 'error',
} as const satisfies Record<Outcome, string>;

/** Sections that verdicts in the counts lead to, where the page has them. */
const SECTION_OF: Readonly<Partial<Record<(typeof VERDICTS)[number], string>>> = {
  fail: 'failures',
  error: 'errors',
  inconclusive: 'inconclusive',
  warn: 'warnings',
  observed: 'observations',
};

const DIGEST_CHARACTERS = 16;

/** `present`: ids of the sections that the page has. */
export function hero(results: Results, present: ReadonlySet<string>): Markup {
  const { verdict, why } = headlineOf(results);
  const tone = TONES[results.outcome];
  const found = VERDICTS.map((one) => ({ verdict: one, number: countOf(results, one) })).filter(
    ({ number }) => number > 0,
  );
  const figures = found.map(({ verdict: one, number }) => {
    const target = SECTION_OF[one] ?? 'contract';
    const text = html`<span class="dot"></span><b>${grouped(number)}</b> ${VERDICT_WORDS[one]}`;
    return html`<li class="tone-${one}">${present.has(target) ? html`<a href="#${target}">${text}</a>` : text}</li>`;
  });
  return html`<section class="hero tone-${tone}" aria-labelledby="verdict">
<h1 id="verdict"><span class="sign" aria-hidden="true">${VERDICT_SYMBOLS[tone]}</span>${verdict}</h1>
<p class="why">${why}</p>
<p class="unit">Checks</p>
<ul class="counts" aria-label="Checks">${figures}</ul>
${interfaceBars(results)}
${about(results)}
</section>`;
}

function interfaceBars(results: Results): Markup {
  const rows = INTERFACES.flatMap((name) => {
    const clauses = results.clauses.filter(({ id }) => interfaceOf(id) === name);
    if (clauses.every(({ verdict }) => verdict === 'excluded')) return [];
    const label = `${name}: ${tally(clauses)}`;
    return html`<dt>${name}</dt><dd>${bar('bar', label, sharesOf(clauses))}<span class="quiet">${tally(clauses)}</span></dd>`;
  });
  return html`<p class="unit">Clauses of the contract</p><dl class="interfaces" aria-label="Clauses by interface">${rows}</dl>`;
}

/** What was judged, by what, with which configuration and when. */
function about(results: Results): Markup {
  const { target, profile, contract, proofmark, startedAt, durationMs, requests, exitCode } = results;
  const addresses = Object.entries(target.addresses ?? {});
  const started = startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
  const rows: Array<readonly [string, Markup | string]> = [
    [
      'Target',
      html`${target.name}${addresses.map(([name, address]) => html`<br><span class="quiet">${name}</span> <code>${address}</code>`)}`,
    ],
    ['Contract', contract],
    ['Proofmark', proofmark],
    ...(profile === undefined
      ? []
      : ([[results.party === 'integrator' ? 'Manifest' : 'Profile', profileText(profile)]] as const)),
    ...(profile === undefined
      ? []
      : ([
          ['Permissions', profile.permissions.length === 0 ? 'reading only' : profile.permissions.join(', ')],
        ] as const)),
    ['Started', started],
    ['Duration', `${duration(durationMs)}, ${count(requests, 'request')}`],
    ['Exit code', String(exitCode)],
  ];
  return html`<dl class="about">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function profileText({ digest, file }: NonNullable<Results['profile']>): Markup | string {
  if (digest === undefined) return 'built in';
  return html`${file !== undefined && html`${file}, `}SHA-256 <code>${digest.slice(0, DIGEST_CHARACTERS)}…</code>`;
}
