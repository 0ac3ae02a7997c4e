/** On paper: verdict, findings and remedies on a few pages; evidence only where the reader asks for it (`with-evidence`). */
export const PRINT = `
@page { size: A4; margin: 14mm 13mm; }
@media print {
  :root { color-scheme: light; --page: #fff; --card: #fff; --sunk: #f6f6f3; --line: #d5d5ce; --ink: #000; --quiet: #444; }
  html { font-size: 11px; } body { background: #fff; font-size: 11px; line-height: 1.35; }
  .wide { max-width: none; padding: 0; }
  nav.sections, button, .skip, .load, .keys, #exchanges, #print-all { display: none !important; }
  .card, .interface { content-visibility: visible; }
  .hero, .card, .next { break-inside: avoid; }
  .card { padding: 0.6rem 0.8rem; margin-bottom: 0.5rem; } .card > * + * { margin-top: 0.35rem; }
  main > section { margin-top: 1rem; }
  a { color: inherit; text-decoration: none; }
  html:not(.with-evidence) :is(#contract, #observations, #timings, .command-box, details.exchange, .sequence, .pictures, .also-failed) { display: none; }
  html:not(.with-evidence) pre.diff .row:nth-child(n+9) { display: none; }
  html:not(.with-evidence) .clause-text ~ .clause-text { display: none; }
  html:not(.with-evidence) .card:nth-of-type(n+9) > :not(.head, .reason) { display: none; }
  html:not(.with-evidence) :is(.remedy, #warnings .list > li):nth-of-type(n+21) { display: none; }
  html:not(.with-evidence) :is(.notices li:nth-of-type(n+9), #failures .group, .card:nth-of-type(n+41)) { display: none; }
  html:not(.with-evidence) .card:nth-of-type(n+9) { padding: 0.3rem 0.8rem; margin-bottom: 0.2rem; }
  html:not(.with-evidence) .card:nth-of-type(n+9) .reason { -webkit-line-clamp: 2; }
  .reason { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4; overflow: hidden; }
  .with-evidence .reason { display: block !important; }
}
`;
