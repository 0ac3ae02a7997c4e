// What a service shows on its pages, and in what it sends to integrators, is checked in a browser only, and no run in one process sees it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawn, singles } from './draw.ts';
import { judge } from './judge.ts';
import { choiceOf, isOpen, nameOfChoice } from './reading.ts';
import { READINGS } from './rows/index.ts';
import { runOverHttp } from './run-over-http.ts';
import { problemsIn } from './tally.ts';

const SOAK = process.env.PROOFMARK_SOAK === '1';
const SEED = Number(process.env.PROOFMARK_SEED ?? 1);
/** The checks that need a browser; those of installations are a whole sequence each. */
const IN_BROWSER = ['labels.*', 'checkout.*', 'install.*', 'settings.*', 'delivery.countries.*', 'apps.snippet.*'];

/** Services that were blamed or left undecided once, with the checks that did so. In `npm test` the first two, in the soak all. */
const BLAMED_BEFORE: readonly (readonly [why: string, service: string, checks: readonly string[]])[] = [
  [
    'label requests show what went out in place of a title that the service refused',
    'texts.length/at-most-20',
    ['labels.request.method-*'],
  ],
  [
    'references and ids have at most ten digits',
    'methods.reference-form/digits+points.id-form/digits',
    ['labels.request.method-reference', 'labels.request.pickup-point-id'],
  ],
  ['only known references are taken', 'methods.reference-form/known-services', ['labels.request.pickup-point-id']],
  ['label addresses have no query', 'methods.label-address/no-query', ['labels.request.pickup-point-id']],
  ['label addresses are not taken', 'methods.label-address/none', ['checkout.request.*']],
  ['a method without a label address must not name null', 'methods.null/refused', ['labels.button.*']],
  ['a list of countries has one of them', 'countries.form/one', ['delivery.countries.*']],
  ['only neighbouring countries are taken', 'countries.form/baltic', ['delivery.countries.*']],
  ['only the own country is taken', 'countries.form/own-only', ['delivery.countries.*']],
  [
    'a provider has none of the further languages of a website',
    'site.languages/many',
    ['labels.request.signature-of-provider'],
  ],
  ['the countries of a method can not be changed', 'methods.fixed/lists', ['delivery.countries.from-restricts']],
  [
    'titles of other owners have to be objects of their languages',
    'texts.unnamed-languages/string-refused',
    ['delivery.countries.public-methods-filtered'],
  ],
];

for (const [why, service, checks] of SOAK ? BLAMED_BEFORE : BLAMED_BEFORE.slice(0, 2))
  test(`over HTTP, a service is decided where ${why}`, async () => {
    const choice = choiceOf(READINGS, service);
    const judgement = judge(choice, await runOverHttp(choice, checks));
    assert.deepEqual(problemsIn([{ choice, judgement }]), []);
  });

test('over HTTP, no answer is blamed by a check that needs a browser', {
  skip: SOAK ? false : 'PROOFMARK_SOAK=1 takes it',
}, async (t) => {
  // The server of the embedded service responds to every request: it closes no connection in its place.
  const readings = READINGS.filter(({ id }) => id !== 'network.closed-connections');
  const alone = singles(readings).filter((choice) => !isOpen(choice));
  for (const choice of [...alone, ...drawn(readings, 100, SEED, 8)])
    await t.test(nameOfChoice(choice), async () => {
      const judgement = judge(choice, await runOverHttp(choice, IN_BROWSER));
      assert.deepEqual(problemsIn([{ choice, judgement }]), []);
    });
});
