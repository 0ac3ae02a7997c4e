/** Rules over recorded exchanges, from any source: a browser's recording, a run, a precheck. */
export { judgeTraffic, TrafficFold, type TrafficOptions, type TrafficVerdicts } from './fold.ts';
export { inStartOrder, type StartOrder } from './order.ts';
export { canPass, decidedClauses, whyUndecided } from './reach.ts';
export { JsonTexts } from './reading/json-texts.ts';
export { breachesIn } from './service/alone.ts';
export { CallsTogether } from './service/together.ts';
export type { ClauseTally, Finding, NoteKind, NoteListener } from './tally.ts';
