/** App data of any shape (spec: Endpoints, B. Apps endpoints; App records: data is a string or an object). */
import fc from 'fast-check';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Installation } from '../../../harness/cleanup/ledger.ts';
import { forAll, givenProperties } from '../../../harness/property/index.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { dataIn, ownData, readBack, rememberData } from '../../apps/steps/data.ts';
import { appsOf } from '../../apps/steps/installations.ts';
import { WRITING } from '../../apps/steps/options.ts';
import { expectNotSet, REFUSED_CHANGES_NOTHING } from '../../apps/steps/refused-set.ts';
import { holdsOf } from '../steps/former.ts';
import { asInstallation, slotsOfSecond } from '../steps/installations.ts';
import { anyText, isPlain, plainText } from '../steps/texts.ts';

const STRING = 'apps.data.string-kept';
const OBJECT = 'apps.data.object-kept';
const REPLACED = 'apps.data.replaced-entirely';

/** A few values, each set and read. */
const REQUESTS_PER_RUN = 7;
const MAX_VALUES = 3;
/** Cases of the first installation for each of the second one. */
const FIRST_WEIGHT = 3;

/** Any store of JSON holds so many. */
const MAX_LEVELS = 12;

/** Whole numbers that any language keeps, and fractions of few digits; JSON has no negative zero to speak of. */
const number = fc
  .oneof(
    fc.integer(),
    fc.integer({ min: -1_000_000, max: 1_000_000 }).map((thousandths) => thousandths / 1000),
    // Where columns and other languages' numbers end.
    fc.constantFrom(0, 2_147_483_648, 4_294_967_296, 9_007_199_254_740_991, -9_007_199_254_740_991, 1e-7, 0.1),
  )
  .map((value) => (Object.is(value, -0) ? 0 : value));

/** Keys of positions and of no letters; `__proto__` is not a name that an integrator would choose. */
const key = fc
  .oneof(
    // Few, so that two values mostly have one in common.
    { weight: 4, arbitrary: fc.constantFrom('a', 'b') },
    { weight: 1, arbitrary: plainText },
    { weight: 1, arbitrary: anyText },
    { weight: 1, arbitrary: fc.constantFrom('0', '1', '', 'length', 'constructor', 'data', 'error') },
  )
  .filter((name) => name !== '__proto__');

const { object } = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(anyText, fc.constant('')),
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));

/** Deeper than what comes by chance. */
const deep = fc
  .tuple(fc.integer({ min: 3, max: MAX_LEVELS }), number)
  .map(([levels, one]) => Array.from({ length: levels }).reduce<unknown>((inner) => ({ a: inner }), one));

/** Objects that a careless reader takes for lists. */
const listLike = fc.array(anyText, { minLength: 1, maxLength: 3 }).map((all) => Object.fromEntries(all.entries()));

const data = fc.oneof(
  { weight: 6, arbitrary: object },
  { weight: 6, arbitrary: anyText },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: listLike },
);

/** An object, and one that lacks a part of it two levels down. */
const thinned = fc
  .tuple(anyText, number)
  .map(([text, one]): unknown[] => [{ a: { a: text, b: one }, b: 1 }, { a: { b: text } }]);

const inTurn = fc.oneof(
  { weight: 5, arbitrary: fc.array(data, { minLength: 1, maxLength: MAX_VALUES }) },
  { weight: 1, arbitrary: thinned },
);

/** Whether no service has a reason to refuse it: a plain text, or a flat object of some. */
const isOrdinary = (value: unknown): boolean =>
  typeof value === 'string'
    ? isPlain(value)
    : typeof value === 'object' &&
      value !== null &&
      Object.keys(value).length > 0 &&
      Object.entries(value).every(([name, one]) => isPlain(name) && typeof one === 'string' && isPlain(one));

/** A name that no integrator would choose, in a hand-written case. */
const isPollution = (value: unknown): boolean => JSON.stringify(value).includes('"__proto__":');

export const checks: readonly Check[] = [
  check(
    'properties.apps.data',
    'MUST return data of any shape as set, without leftovers of earlier data',
    { ...WRITING, clauses: [STRING, OBJECT, REPLACED, REFUSED_CHANGES_NOTHING], additional: true },
    async (context) => {
      givenProperties(context);
      await rememberData(context, ownData(context), OBJECT);
      const second = await slotsOfSecond(context, (slot) => rememberData(context, slot, OBJECT));
      const others = second.map(({ installation }) => installation);
      const installations = fc.constantFrom(...Array<Installation>(FIRST_WEIGHT).fill('own'), ...others);
      await forAll(
        context,
        {
          requestsPerRun: REQUESTS_PER_RUN,
          fits: ([values, installation]) =>
            !values.some(isPollution) && (installation !== 'other' || others.length > 0),
        },
        [inTurn, installations],
        async (run, values, installation) => {
          // A case that is kept need not name an installation.
          const apps = appsOf(run.context, installation ?? 'own');
          const shown = values.map((value) => JSON.stringify(value)).join(', then ');
          run.step(`the data ${installation === 'other' ? 'of the other installation ' : ''}${shown}`);
          const { expect, given, send } = run.context;
          await asInstallation(run, installation ?? 'own', async () => {
            // What earlier runs left must not be taken for what this one does.
            let former: unknown = 'Proofmark';
            await given.accepted(send(apps.setData(former), 'given'), STRING);
            for (const value of values) {
              const kept = typeof value === 'string' ? STRING : OBJECT;
              const response = await send(apps.setData(value), 'set');
              const read = async () => dataIn(await send(apps.getData(), 'read'));
              await expectNotSet(run.context, response, { value, former, read });
              if (isOrdinary(value)) await given.accepted(response, kept);
              if (!isServed(response)) continue;
              const after = await readBack(run.context, value, send(apps.getData(), 'read'), kept);
              expect.equal(dataIn(after), value, 'data must read back as it was set', {
                pointer: '/data',
                response: after,
                clauses: [holdsOf(former, value, dataIn(after)) ? REPLACED : kept],
              });
              former = value;
            }
          });
        },
      );
    },
  ),
];
