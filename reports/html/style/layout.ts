/** How the report is laid out: one column of cards, calm, the verdict first. */
export const LAYOUT = `* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: calc(var(--bar, 6.75rem) + 0.75rem); -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 var(--sans); overflow-wrap: anywhere; }
.wide { max-width: 72rem; margin: 0 auto; padding: 0 1.25rem; }
h1, h2, h3, h4, p, ul, dl, dd, pre, figure { margin: 0; }
ul { padding: 0; list-style: none; }
a { color: var(--link); text-underline-offset: 2px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
code, pre { font-family: var(--mono); font-size: 0.87em; }
pre { white-space: pre-wrap; }
.quiet { color: var(--quiet); }
small { font-size: 0.85em; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 0.5rem; z-index: 3; background: var(--card); padding: 0.5rem 1rem; }

.top { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; align-items: baseline; padding-top: 1.1rem; padding-bottom: 0.9rem; }
.brand { font-weight: 700; letter-spacing: 0.01em; }
.brand svg { width: 1.15em; height: 1.15em; vertical-align: -0.2em; margin-right: 0.4em; fill: none; stroke: currentColor; stroke-width: 2.4; }
.top .run { color: var(--quiet); }
.top .run b { color: var(--ink); font-weight: 600; }

.hero { border: 1px solid var(--line); border-left: 8px solid var(--tone); background: var(--card); border-radius: 10px; padding: 1.4rem 1.5rem 1.2rem; }
.hero h1 { font-size: 2rem; line-height: 1.15; letter-spacing: -0.015em; color: var(--tone); display: flex; gap: 0.55rem; align-items: center; }
.hero h1 .sign { display: grid; place-items: center; width: 2.4rem; height: 2.4rem; border-radius: 50%; background: var(--tone); color: var(--card); font-size: 1.25rem; flex: none; }
.hero .why { font-size: 1.12rem; margin-top: 0.5rem; max-width: 60rem; }
.first { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; }
.next { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1.1rem 1.5rem 1.2rem; }
.next h2 { font-size: 1.1rem; margin-bottom: 0.6rem; }
.actors { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 0.9rem 2rem; }
.actors h3 { font-size: 0.98rem; margin-bottom: 0.2rem; }
.actors ul { padding-left: 1.1rem; list-style: disc; }
.actors ul li + li { margin-top: 0.2rem; }
.interfaces { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.45rem 1.2rem; align-items: baseline; margin-top: 0.25rem; }
.interfaces dd { display: grid; grid-template-columns: minmax(6rem, 2fr) minmax(0, 3fr); gap: 0.8rem; align-items: center; font-size: 0.92rem; }
.bar { display: block; width: 100%; height: 12px; border-radius: 6px; }
.about { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 9rem), 1fr)); gap: 0.7rem 1.5rem; margin-top: 1.2rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 0.92rem; }
.about dt { color: var(--quiet); font-size: 0.82rem; }
.about > div:first-child { grid-column: span 2; }
.unit { font-size: 0.82rem; color: var(--quiet); margin-top: 0.9rem; }
.counts { display: flex; flex-wrap: wrap; gap: 0.35rem 1.25rem; margin-top: 0.15rem; }
.counts a { color: inherit; text-decoration: none; }
.counts a:hover { text-decoration: underline; }
.counts b { font-size: 1.2rem; font-variant-numeric: tabular-nums; }
.counts .dot { display: inline-block; width: 0.7em; height: 0.7em; border-radius: 2px; background: var(--fill); margin-right: 0.4em; }
.only-read { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }

.tone-fail { --tone: var(--fail); --soft: var(--fail-soft); --fill: var(--fail-fill); } .tone-error { --tone: var(--error); --soft: var(--error-soft); --fill: var(--error-fill); }
.tone-warn { --tone: var(--warn); --soft: var(--warn-soft); --fill: var(--warn-fill); } .tone-inconclusive { --tone: var(--inconclusive); --soft: var(--inconclusive-soft); --fill: var(--inconclusive-fill); }
.tone-pass { --tone: var(--pass); --soft: var(--pass-soft); --fill: var(--pass-fill); } .tone-observed { --tone: var(--observed); --soft: var(--observed-soft); --fill: var(--observed-fill); }
.tone-not-applicable, .tone-excluded { --tone: var(--not-applicable); --soft: var(--not-applicable-soft); --fill: var(--not-applicable-fill); }
rect { fill: var(--fill, var(--observed-fill)); }

nav.sections { position: sticky; top: 0; z-index: 2; background: var(--page); border-bottom: 1px solid var(--line); margin-top: 1rem; }
nav.sections ul { display: flex; flex-wrap: wrap; gap: 0.1rem 1.2rem; padding: 0.6rem 0 0.35rem; }
nav.sections a { text-decoration: none; } nav.sections a:hover { text-decoration: underline; }

main > section { margin-top: 2rem; }
main h2 { font-size: 1.25rem; letter-spacing: -0.01em; margin-bottom: 0.7rem; }
h2 .quiet { font-weight: 400; font-size: 1rem; } h3 .quiet { font-weight: 400; }
.card, .list, .notices { background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.card { padding: 1.1rem 1.25rem 1.2rem; margin-bottom: 1rem; border-top: 4px solid var(--tone); }
.card h3 { font-size: 1.08rem; line-height: 1.35; }
.card > * + * { margin-top: 0.8rem; }
.card .head { display: flex; flex-wrap: wrap; gap: 0.3rem 0.7rem; align-items: baseline; }
.card .head code { color: var(--quiet); }
.reason { font-weight: 550; }
.badge { display: inline-block; justify-self: start; white-space: nowrap; font-size: 0.78rem; font-weight: 650; line-height: 1.5; padding: 0.05rem 0.5rem; border-radius: 999px; color: var(--tone); background: var(--soft); }
.level { font-size: 0.75rem; font-weight: 700; letter-spacing: 0.03em; color: var(--quiet); }
.clause-text { border-left: 3px solid var(--line); padding-left: 0.8rem; }
.clause-text .quiet { display: block; font-size: 0.85em; }

.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0.8rem; }
.sides > * { min-width: 0; }
.caption { font-size: 0.82rem; font-weight: 650; color: var(--quiet); margin-bottom: 0.25rem; }
pre.wire, pre.body, pre.diff, pre.command { background: var(--sunk); border: 1px solid var(--line); border-radius: 6px; padding: 0.55rem 0.7rem; }
pre.wire + pre.body { margin-top: 0.4rem; }
pre .start { font-weight: 700; } pre .name { color: var(--quiet); } .left-out { color: var(--quiet); font-style: italic; }
pre mark { background: var(--mark); color: inherit; border-radius: 2px; }
pre.diff { padding-left: 0; padding-right: 0; }
pre.diff span.row { display: block; padding: 0 0.7rem 0 1.9rem; text-indent: -1.2rem; min-height: 1.5em; }
pre.diff .gutter { display: inline-block; width: 1.2rem; text-indent: 0; user-select: none; }
pre.diff .wanted { background: var(--pass-soft); } pre.diff .wanted .gutter { color: var(--pass); font-weight: 700; }
pre.diff .got { background: var(--fail-soft); } pre.diff .got .gutter { color: var(--fail); font-weight: 700; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.2rem 1rem; }
.facts dt { color: var(--quiet); }
.command-box { position: relative; }
.command-box pre { padding-right: 6rem; }
button { font: inherit; font-size: 0.85rem; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 0.2rem 0.65rem; cursor: pointer; }
button:hover { border-color: var(--quiet); }
.command-box button { position: absolute; bottom: 0.4rem; right: 0.4rem; }
figure { display: inline-block; margin: 0 0.8rem 0.5rem 0; vertical-align: top; max-width: 100%; }
figure img { max-width: 100%; max-height: 22rem; border: 1px solid var(--line); border-radius: 6px; background: #fff; display: block; }
figcaption { font-size: 0.85rem; color: var(--quiet); }

summary { cursor: pointer; }
details.exchange { border: 1px solid var(--line); border-radius: 6px; padding: 0.4rem 0.7rem; }
details.exchange[open] { padding-bottom: 0.8rem; }
details.exchange[open] > summary { margin-bottom: 0.6rem; }
details.exchange + details.exchange { margin-top: 0.4rem; }
#exchange-list { margin: 0.6rem 0; }
details.exchange .n, details.exchange .role { color: var(--quiet); font-variant-numeric: tabular-nums; }
.status { font-weight: 650; } .status.good { color: var(--pass); } .status.refused { color: var(--warn); } .status.bad, .status.none { color: var(--fail); }

.notices { padding: 0.9rem 1.25rem; border-left: 5px solid var(--tone, var(--inconclusive)); }
.notices li + li { margin-top: 0.35rem; }
.list > li, .list > details, .list > .item { padding: 0.6rem 1.1rem; }
.list > * + * { border-top: 1px solid var(--line); }
.remedy summary { display: grid; grid-template-columns: 1fr max-content; gap: 0.2rem 1rem; align-items: baseline; list-style: none; }
.remedy summary::-webkit-details-marker { display: none; }
.remedy summary .what::before { content: '▸'; display: inline-block; width: 1.1em; color: var(--quiet); }
.remedy[open] summary .what::before { content: '▾'; }
.remedy ul { padding: 0.4rem 0 0.2rem 1.1em; }
table { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
th, td { text-align: left; vertical-align: top; padding: 0.5rem 0.9rem; border-top: 1px solid var(--line); }
thead th { border-top: 0; overflow-wrap: normal; font-size: 0.82rem; color: var(--quiet); font-weight: 650; }
td.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.share { width: 7rem; height: 8px; display: block; border-radius: 4px; }

form.filter { display: flex; flex-wrap: wrap; gap: 0.4rem 0.9rem; align-items: center; padding-bottom: 0.6rem; font-size: 0.92rem; }
form.filter input[type=search] { font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--quiet); border-radius: 6px; padding: 0.3rem 0.7rem; width: min(100%, 24rem); }
form.filter fieldset { border: 0; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: 0.2rem 0.8rem; }
form.filter label { white-space: nowrap; }
kbd { font-family: var(--mono); font-size: 0.85em; border: 1px solid var(--line); border-radius: 4px; padding: 0 0.3em; background: var(--card); }
.group { background: var(--card); border: 1px solid var(--line); border-radius: 10px; margin-top: 0.7rem; }
.group > summary { display: grid; grid-template-columns: minmax(0, 1fr) max-content 7rem; gap: 0.2rem 1rem; align-items: center; padding: 0.6rem 1.1rem; list-style: none; }
.group > summary::-webkit-details-marker, .clause > summary::-webkit-details-marker { display: none; }
.group > summary .title::before, .clause > summary .title::before { content: '▸'; display: inline-block; width: 1.1em; color: var(--quiet); }
.group[open] > summary .title::before, .clause[open] > summary .title::before { content: '▾'; }
.group.interface > summary .title { font-weight: 650; font-size: 1.05rem; }
.group.section { border-radius: 0; border-width: 1px 0 0; margin: 0; }
main > section > .group.section { border-width: 1px; border-radius: 10px; margin-top: 0.5rem; }
.group.section > .list { border-radius: 0; border-width: 1px 0 0; background: var(--card); }
.group table { border-width: 1px 0 0; border-radius: 0; }
.clause > summary { display: grid; grid-template-columns: 7.6rem 4.2rem 1fr; gap: 0.2rem 0.8rem; align-items: baseline; list-style: none; }
.clause .inside { margin: 0.6rem 0 0.4rem; padding-left: 1.1rem; border-left: 3px solid var(--line); display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.7rem; }
.check { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.6rem; }
.card .evidence { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.8rem; }
.also-failed, .waiting { border-top: 1px solid var(--line); padding-top: 0.7rem; }
.also-failed > .evidence { margin-top: 0.7rem; }
.waiting ul { margin-top: 0.5rem; display: grid; gap: 0.5rem; padding-left: 1.1rem; }
.waiting .reason { font-weight: 400; color: var(--quiet); }
.observation dt { font-weight: 550; } .observation dd { margin-top: 0.2rem; }
.card, .interface { content-visibility: auto; contain-intrinsic-size: auto 3rem; }
.card { contain-intrinsic-size: auto 40rem; }

.timeline { padding: 0; margin: 0.7rem 0 0; list-style: none; }
.hop { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); gap: 0 1.2rem; }
.hop .when { text-align: right; color: var(--quiet); font-variant-numeric: tabular-nums; font-size: 0.88rem; padding-top: 0.1rem; }
.hop > div { border-left: 3px solid var(--observed-fill); padding: 0 0 1rem 1rem; position: relative; }
.hop > div::before { content: ''; position: absolute; left: -8px; top: 0.4rem; width: 13px; height: 13px; border-radius: 50%; background: var(--observed-fill); }
.hop.received > div { border-left-color: var(--pass-fill); } .hop.received > div::before { background: var(--pass-fill); }
.hop .facts { font-size: 0.88rem; margin: 0.25rem 0; }
.plot { display: block; max-width: none; margin: 0 0 1.2rem; } h3 + .plot { margin-top: 0.5rem; }
.plot svg { width: 100%; height: auto; display: block; background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 0.8rem; }
.plot text { font: 13px var(--mono); fill: var(--ink); } .plot text.figure { fill: var(--quiet); }
.plot .range { fill: var(--observed-fill); opacity: 0.45; } .plot .median { fill: var(--observed); } .plot circle { fill: var(--observed); }
.plot .served { fill: var(--pass-fill); background: var(--pass-fill); } .plot .refused { fill: var(--warn-fill); background: var(--warn-fill); } .plot .failed { fill: var(--fail-fill); background: var(--fail-fill); }
.plot .key { display: inline-block; width: 0.7em; height: 0.7em; border-radius: 2px; margin: 0 0.3em 0 0.9em; }
.plot figcaption { margin-top: 0.4rem; }
@media (max-width: 40rem) {
  .about > div { grid-column: auto !important; }
  .clause > summary, .group > summary, .interfaces, .interfaces dd { grid-template-columns: minmax(0, 1fr); }
  .group > summary .share { display: none; }
  .clause .inside { padding-left: 0.6rem; }
  nav.sections { position: static; }
  form.filter .keys { display: none; }
  html { scroll-padding-top: 1rem; }
  .hero h1 { font-size: 1.6rem; }
  .hop { grid-template-columns: minmax(0, 1fr); } .hop .when { text-align: left; }
  .facts { grid-template-columns: minmax(0, 1fr); } .facts dd { margin-bottom: 0.3rem; }
  .command-box pre { padding-right: 0.7rem; }
  .command-box button { position: static; margin-top: 0.4rem; }
}
.also { margin-top: 0.6rem; color: var(--quiet); }
.scroll { overflow-x: auto; }
footer { margin: 2.5rem 0 2rem; color: var(--quiet); border-top: 1px solid var(--line); padding-top: 1rem; }
`;
