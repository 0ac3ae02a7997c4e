/** The look of the report: one column of cards, calm colours, the verdict first; light and dark as the reader's system is. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f5f5f2; --card: #ffffff; --sunk: #f3f3ef; --line: #dcdcd5; --ink: #1b1d22; --quiet: #5a5f68; --link: #1d4ed8;
  --fail: #b42318; --fail-soft: #fdecea; --error: #7a22b0; --error-soft: #f5eafc; --warn: #93510a; --warn-soft: #fdf1de;
  --inconclusive: #755c00; --inconclusive-soft: #fbf4d5; --pass: #17693a; --pass-soft: #e5f5eb; --observed: #1d5b9b;
  --observed-soft: #e6f0fb; --not-applicable: #5a5f68; --not-applicable-soft: #ececea; --mark: #ffe08a;
  --fail-fill: #d13a2c; --error-fill: #9333ea; --warn-fill: #d97706; --inconclusive-fill: #b98900; --pass-fill: #2a9457;
  --observed-fill: #3b82c4; --not-applicable-fill: #8d939c;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #121418; --card: #1b1e24; --sunk: #14171c; --line: #333842; --ink: #e7e8ea; --quiet: #a3a9b4; --link: #8ab4f8;
    --fail: #ff8f84; --fail-soft: #3a1b1a; --error: #d9a5fb; --error-soft: #301d3d; --warn: #f5b461; --warn-soft: #38280f;
    --inconclusive: #e6cd62; --inconclusive-soft: #332d10; --pass: #77d69b; --pass-soft: #15301f; --observed: #8fc1f7;
    --observed-soft: #172b42; --not-applicable: #a3a9b4; --not-applicable-soft: #292d35; --mark: #6b5410;
    --fail-fill: #f0766b; --error-fill: #c084fc; --warn-fill: #eba04a; --inconclusive-fill: #d2b43c; --pass-fill: #4db67a;
    --observed-fill: #68a5e6; --not-applicable-fill: #7d8490;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 4rem; -webkit-text-size-adjust: 100%; }
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
.hero h1 { font-size: 2.1rem; line-height: 1.15; letter-spacing: -0.015em; color: var(--tone); display: flex; gap: 0.55rem; align-items: center; }
.hero h1 .sign { display: grid; place-items: center; width: 2.4rem; height: 2.4rem; border-radius: 50%; background: var(--tone); color: var(--card); font-size: 1.25rem; flex: none; }
.hero .why { font-size: 1.12rem; margin-top: 0.5rem; max-width: 60rem; }
.actors { margin-top: 0.75rem; display: flex; flex-wrap: wrap; gap: 0.4rem 1.4rem; }
.actors b { font-weight: 650; }
.bar { display: block; width: 100%; height: 12px; margin: 1.1rem 0 0.55rem; border-radius: 6px; }
.counts { display: flex; flex-wrap: wrap; gap: 0.35rem 1.25rem; }
.counts a { color: inherit; text-decoration: none; }
.counts a:hover { text-decoration: underline; }
.counts b { font-size: 1.2rem; font-variant-numeric: tabular-nums; }
.counts .dot { display: inline-block; width: 0.7em; height: 0.7em; border-radius: 2px; background: var(--fill); margin-right: 0.4em; }
.also { margin-top: 0.6rem; color: var(--quiet); }

.tone-fail { --tone: var(--fail); --soft: var(--fail-soft); --fill: var(--fail-fill); } .tone-error { --tone: var(--error); --soft: var(--error-soft); --fill: var(--error-fill); }
.tone-warn { --tone: var(--warn); --soft: var(--warn-soft); --fill: var(--warn-fill); } .tone-inconclusive { --tone: var(--inconclusive); --soft: var(--inconclusive-soft); --fill: var(--inconclusive-fill); }
.tone-pass { --tone: var(--pass); --soft: var(--pass-soft); --fill: var(--pass-fill); } .tone-observed { --tone: var(--observed); --soft: var(--observed-soft); --fill: var(--observed-fill); }
.tone-not-applicable, .tone-excluded { --tone: var(--not-applicable); --soft: var(--not-applicable-soft); --fill: var(--not-applicable-fill); }
rect { fill: var(--fill, var(--observed-fill)); }

nav.sections { position: sticky; top: 0; z-index: 2; background: var(--page); border-bottom: 1px solid var(--line); margin-top: 1rem; }
nav.sections ul { display: flex; flex-wrap: wrap; gap: 0.1rem 1.2rem; padding-top: 0.6rem; padding-bottom: 0.6rem; }
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
.sides h4 { font-size: 0.82rem; font-weight: 650; color: var(--quiet); margin-bottom: 0.25rem; }
pre.wire, pre.body, pre.diff, pre.command { background: var(--sunk); border: 1px solid var(--line); border-radius: 6px; padding: 0.55rem 0.7rem; max-height: 32rem; overflow: auto; }
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
.command-box pre { padding-right: 6rem; max-height: 12rem; }
button { font: inherit; font-size: 0.85rem; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 0.2rem 0.65rem; cursor: pointer; }
button:hover { border-color: var(--quiet); }
.command-box button { position: absolute; top: 0.4rem; right: 0.4rem; }
figure { display: inline-block; margin: 0 0.8rem 0.5rem 0; vertical-align: top; max-width: 100%; }
figure img { max-width: 100%; max-height: 22rem; border: 1px solid var(--line); border-radius: 6px; background: #fff; display: block; }
figcaption { font-size: 0.85rem; color: var(--quiet); }

summary { cursor: pointer; }
details.exchange { border: 1px solid var(--line); border-radius: 6px; padding: 0.4rem 0.7rem; }
details.exchange[open] { padding-bottom: 0.8rem; }
details.exchange[open] > summary { margin-bottom: 0.6rem; }
details.exchange + details.exchange { margin-top: 0.4rem; }
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
#observations td { width: 37%; } #observations td:last-child { width: 26%; }
td.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; }
.share { width: 100%; min-width: 3rem; max-width: 9rem; height: 8px; display: block; margin-top: 0.5em; }

form.filter { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; margin-bottom: 0.8rem; }
form.filter input[type=search] { font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 0.35rem 0.7rem; width: min(100%, 22rem); }
form.filter fieldset { border: 0; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: 0.2rem 0.9rem; }
form.filter label { white-space: nowrap; }
.group + .group { margin-top: 1.2rem; }
.group h3 { font-size: 0.95rem; margin-bottom: 0.4rem; }
.clause { display: grid; grid-template-columns: 8.2rem 4.2rem 1fr; gap: 0.2rem 0.8rem; align-items: baseline; }
.clause .by { font-size: 0.85em; color: var(--quiet); }
.check > summary, .item.check { display: grid; grid-template-columns: 8.2rem 1fr max-content; gap: 0.2rem 0.8rem; align-items: baseline; list-style: none; }
.check > summary::-webkit-details-marker { display: none; }
.check > summary .title::before { content: '▸'; display: inline-block; width: 1em; color: var(--quiet); }
.check[open] > summary .title::before { content: '▾'; }
.item.check .title { padding-left: 1em; }
.check > summary code { color: var(--quiet); }
.check .inside { margin-top: 0.7rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.7rem; }
.check, .card { content-visibility: auto; contain-intrinsic-size: auto 3rem; }
.card { contain-intrinsic-size: auto 40rem; }
@media (max-width: 40rem) {
  .clause, .check > summary, .item.check { grid-template-columns: 1fr; }
  .item.check .title { padding-left: 0; }
  html { scroll-padding-top: 5.5rem; }
  .hero h1 { font-size: 1.6rem; }
  .command-box pre { padding-right: 0.7rem; }
  .command-box button { position: static; margin-top: 0.4rem; }
}
footer { margin: 2.5rem 0 2rem; color: var(--quiet); border-top: 1px solid var(--line); padding-top: 1rem; }
@media print { nav.sections, form.filter, button { display: none !important; } body { background: #fff; } .card { break-inside: avoid; } }
`;
