/**
 * A model of the Reseller interface: random sequences of calls on the website that a run may use, beside the others of the
 * account, which no call names. Only what the profile allows is tried, and everything is put back after each sequence
 * (spec: Endpoints, C. Reseller endpoints).
 */
import fc from 'fast-check';
import { type Check, check } from '../../../harness/check/check.ts';
import { forAllSequences, givenProperties } from '../../../harness/property/index.ts';
import { READING } from '../../reseller/steps/options.ts';
import { clausesFound } from '../steps/failure-attribution.ts';
import { byEither, type Command, GROUP_OF, ResellerCommand, type StoredCall } from './commands.ts';
import { ALLOWED_EFFECTS, capabilitiesOf, MAX_SETTINGS } from './means.ts';
import { MODEL_CLAUSES, type Model } from './state.ts';
import { type Capabilities, SystemUnderTest } from './system-under-test.ts';

/** A look before and after, calls between, and what puts them back. */
const REQUESTS_PER_RUN = 70;
const MAX_COMMANDS = 24;
/** The text that a setting had, and another. */
const MAX_TEXTS = 1;

/** The calls of the groups in play, those that meet each other most often several times. */
function commandsFor({ groups, names, settings }: Capabilities): fc.Arbitrary<Command>[] {
  const nth = fc.nat({ max: Math.max(0, names.length - 1) });
  const text = fc.tuple(fc.nat({ max: Math.max(0, settings.length - 1) }), fc.nat({ max: MAX_TEXTS }));
  const texts = fc.uniqueArray(text, { selector: ([at]) => at, minLength: 1, maxLength: MAX_SETTINGS });
  const of = (...all: readonly StoredCall['do'][]): fc.Arbitrary<StoredCall> =>
    fc.constantFrom(...all).map((what) => ({ do: what }) as StoredCall);
  const add = nth.map((at): StoredCall => ({ do: 'add-domain', nth: at }));
  const remove = nth.map((at): StoredCall => ({ do: 'remove-domain', nth: at }));
  const elsewhere = nth.map((at): StoredCall => ({ do: 'remove-elsewhere', nth: at }));
  const set = texts.map((some): StoredCall => ({ do: 'set', texts: some }));
  const level = fc.constantFrom('premium' as const, 'premiumplus' as const);
  const start = level.map((one): StoredCall => ({ do: 'start', level: one }));
  const calls: readonly [keyof typeof GROUP_OF, ...fc.Arbitrary<StoredCall>[]][] = [
    ['add-domain', add, add, add, add, remove, remove, remove, elsewhere],
    ['set', set, set],
    ['start', start, start, of('stop')],
    ['disable', of('disable'), of('enable'), of('enable')],
    ['look', of('sign-in-again', 'login-link'), of('look')],
  ];
  return calls
    .filter(([one]) => groups.has(GROUP_OF[one]))
    .flatMap(([, ...arbitraries]) =>
      arbitraries.map((said) => byEither(said).map((one): Command => new ResellerCommand(one))),
    );
}

/** Simpler calls: fewer settings at a time, the first domain, the plain level. */
function simplerCommands(command: fc.AsyncCommand<Model, SystemUnderTest>): readonly Command[] {
  if (!(command instanceof ResellerCommand)) return [];
  const { said } = command;
  if (said.do === 'set' && said.texts.length > 1)
    return said.texts.map((_, at) => new ResellerCommand({ ...said, texts: said.texts.toSpliced(at, 1) }));
  if ('nth' in said && said.nth > 0) return [new ResellerCommand({ ...said, nth: 0 })];
  return 'level' in said && said.level !== 'premium' ? [new ResellerCommand({ ...said, level: 'premium' })] : [];
}

export const checks: readonly Check[] = [
  check(
    'properties.reseller.model',
    'MUST behave like the model of Reseller in any sequence of calls',
    { ...READING, usesAllowed: ALLOWED_EFFECTS, clauses: MODEL_CLAUSES, additional: true },
    async (context) => {
      givenProperties(context);
      const means = await capabilitiesOf(context);
      await forAllSequences(
        context,
        {
          requestsPerRun: REQUESTS_PER_RUN,
          maxCommands: MAX_COMMANDS,
          commands: commandsFor(means),
          simpler: simplerCommands,
          format: {
            write: (command) => (command as ResellerCommand).said,
            read: (json) => {
              const said = json as StoredCall;
              return means.groups.has(GROUP_OF[said.do]) ? new ResellerCommand(said) : undefined;
            },
          },
          // With a look at everything after each call: which rule was it?
          explain: (again, play) =>
            clausesFound(async () => {
              const system = new SystemUnderTest(again, means, { step: () => undefined, comparesState: true });
              await play(await system.begin(), system);
            }),
        },
        async (run, play) => {
          const system = new SystemUnderTest(run.context, means, { step: run.step, comparesState: false });
          const model = await system.begin();
          await play(model, system);
          await system.compare(model);
        },
      );
    },
  ),
];
