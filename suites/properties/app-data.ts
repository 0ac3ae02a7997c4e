/** App data of any shape (spec: Endpoints, B. Apps endpoints; App records: data is a string or an object). */
import fc from 'fast-check';
import { type Check, check } from '../../harness/check.ts';
import { isObject, isServed } from '../../harness/judge-answer.ts';
import { forAll, givenProperties } from '../../harness/property.ts';
import { dataIn, ownData, rememberData } from '../apps/kit/data.ts';
import { WRITING } from '../apps/kit/options.ts';
import { anyText, isPlain, plainText } from './kit/texts.ts';

const STRING = 'apps.data.string-kept';
const OBJECT = 'apps.data.object-kept';
const REPLACED = 'apps.data.replaced-whole';

/** Two values, each set and read. */
const REQUESTS_PER_RUN = 5;

/** Whole numbers that any language keeps, and fractions of few digits; JSON has no negative zero to speak of. */
const number = fc
  .oneof(
    fc.integer(),
    fc.integer({ min: -1_000_000, max: 1_000_000 }).map((thousandths) => thousandths / 1000),
    fc.constantFrom(0, 9_007_199_254_740_991, 1e-7),
  )
  .map((value) => (Object.is(value, -0) ? 0 : value));

/** Keys of positions and of no letters; `__proto__` is no name that an integrator would choose. */
const key = fc
  .oneof(plainText, anyText, fc.constantFrom('0', '1', '', 'length', 'constructor', 'data', 'error'))
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

const data = fc.oneof({ weight: 2, arbitrary: object }, { weight: 1, arbitrary: anyText });

/** Whether no service has a reason to refuse it. */
const isOrdinary = (value: unknown): boolean =>
  typeof value === 'string'
    ? isPlain(value)
    : typeof value !== 'object' ||
      value === null ||
      Object.entries(value).every(([name, one]) => isPlain(name) && isOrdinary(one));

/** Whether a key of the former data stands where it was not set. */
function holdsKeyOf(former: unknown, value: unknown, read: unknown): boolean {
  if (!isObject(former) || !isObject(read)) return false;
  return Object.keys(former).some(
    (name) => Object.hasOwn(read, name) && !(isObject(value) && Object.hasOwn(value, name)),
  );
}

export const checks: readonly Check[] = [
  check(
    'properties.apps.data',
    'MUST keep data of any shape as it was set, and nothing of what it replaces',
    { ...WRITING, clauses: [STRING, OBJECT, REPLACED], additional: true },
    async (context) => {
      givenProperties(context);
      await rememberData(context, ownData(context), OBJECT);
      await forAll(context, { requestsPerRun: REQUESTS_PER_RUN }, [data, data], async (run, ...values) => {
        run.step(`the data ${values.map((value) => JSON.stringify(value)).join(', then ')}`);
        const { apps, expect, given, send } = run.context;
        const [first] = values;
        // What earlier runs left must not be taken for what this one does.
        await given.accepted(send(apps.setData('Proofmark'), 'given'), STRING);
        for (const value of values) {
          const kept = typeof value === 'string' ? STRING : OBJECT;
          const answer = await send(apps.setData(value), 'set');
          if (isOrdinary(value)) await given.accepted(answer, kept);
          if (!isServed(answer)) continue;
          const read = await given.accepted(send(apps.getData(), 'read'), kept);
          expect.equal(dataIn(read), value, 'data must read back as it was set', {
            pointer: '/data',
            answer: read,
            clauses: [holdsKeyOf(first, value, dataIn(read)) ? REPLACED : kept],
          });
        }
      });
    },
  ),
];
