/** Conformant services drawn from the silences of the contract: none may be blamed. A sample here, all of them in the soak. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { matchesAny } from '../../contracts/run/glob.ts';
import { CHECKS } from '../../suites/index.ts';
import { checksNoticing } from './checks-noticing.ts';
import { drawn, pairwise, singles } from './draw.ts';
import { judge } from './judge.ts';
import { type Choice, choiceOf, fit, isOpen, nameOf, nameOfChoice } from './reading.ts';
import { READINGS } from './rows/index.ts';
import { UNDECIDED, UNDECIDED_TOGETHER } from './rows/undecided.ts';
import { runOnService } from './run-service.ts';
import { type CheckSummary, linesOf, problemsIn } from './tally.ts';

const SOAK = process.env.PROOFMARK_SOAK === '1';
const SEED = Number(process.env.PROOFMARK_SEED ?? 1);
/** More answers at once would hide each other. */
const MAX_ANSWERS = 8;
const RANDOM_SERVICES = SOAK ? 2000 : 1;
/** Sequences per property. The soak tries as many as a run on this machine: what blames a service often needs ten. */
const PROPERTY_RUNS = SOAK ? 20 : 1;
const PAIRWISE_SERVICES = SOAK ? Number.POSITIVE_INFINITY : 1;
/** In `npm test`, answers that more checks can notice are only tested in combinations. */
const MAX_CHECKS_ALONE = 80;

async function judged(choices: readonly Choice[]): Promise<CheckSummary[]> {
  const all: CheckSummary[] = [];
  for (const choice of choices)
    all.push({ choice, judgement: judge(choice, await runOnService(choice, { propertyRuns: PROPERTY_RUNS })) });
  return all;
}

const answers = READINGS.flatMap((reading) => reading.answers.map((answer) => [reading, answer] as const));

describe('the rows', () => {
  test('names are unique paths of meaning, and each row and answer is a sentence', () => {
    assert.equal(new Set(READINGS.map(({ id }) => id)).size, READINGS.length);
    assert.equal(new Set(answers.map((one) => nameOf(...one))).size, answers.length);
    for (const { id, silence, section } of READINGS) {
      assert.match(id, /^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
      assert.match(silence, /^[A-Z].*\.$/, id);
      assert.ok(section !== '', id);
    }
    for (const [reading, answer] of answers) {
      assert.match(answer.about, /\.$/, nameOf(reading, answer));
      assert.ok(answer.rules ?? answer.http ?? answer.fixtures, nameOf(reading, answer));
      for (const name of answer.without ?? [])
        assert.ok(
          answers.some((one) => name === one[0].id || name === nameOf(...one)),
          `${nameOf(reading, answer)} excludes ${name}, which does not exist`,
        );
    }
  });

  test('declarations of undecided checks name existing answers and checks', () => {
    const alone = Object.entries(UNDECIDED).map(([name, left]) => [[name], 'open' in left ? [] : left.checks] as const);
    const together = UNDECIDED_TOGETHER.map((row) => [row.answers, row.checks] as const);
    for (const [names, globs] of [...alone, ...together]) {
      for (const name of names)
        assert.ok(
          answers.some((one) => nameOf(...one) === name),
          name,
        );
      for (const glob of globs)
        assert.ok(
          CHECKS.some(({ id }) => matchesAny(id, [glob])),
          `${names.join('+')}: ${glob}`,
        );
    }
  });

  test('a service is found again by its name', () => {
    const [choice] = drawn(READINGS, 1, 5, MAX_ANSWERS);
    assert.deepEqual(choiceOf(READINGS, nameOfChoice(choice!)), choice);
    assert.throws(() => choiceOf(READINGS, 'lists.order/none'), /No reading has the answer/);
  });
});

describe('draws', () => {
  test('are the same from the same seed and combine only compatible answers', () => {
    const names = (seed: number): string[] => drawn(READINGS, 30, seed, MAX_ANSWERS).map(nameOfChoice);
    assert.deepEqual(names(3), names(3));
    assert.notDeepEqual(names(3), names(4));
    for (const choice of drawn(READINGS, 200, 1, MAX_ANSWERS)) {
      const all = [...choice];
      assert.ok(all.length >= 2 && all.length <= MAX_ANSWERS);
      assert.ok(!isOpen(choice));
      for (const a of all) for (const b of all) assert.ok(a === b || fit(a, b), nameOfChoice(choice));
    }
  });

  test('cover every compatible pair of answers', () => {
    const few = READINGS.slice(0, 6).map((reading) => ({ ...reading, answers: reading.answers.slice(0, 3) }));
    const met = new Set(
      pairwise(few, 1, 4).flatMap((choice) => {
        const names = [...choice].map((one) => nameOf(...one)).sort();
        return names.flatMap((a, at) => names.slice(at + 1).map((b) => `${a}|${b}`));
      }),
    );
    const all = few.flatMap((reading) => reading.answers.map((answer) => [reading, answer] as const));
    for (const a of all)
      for (const b of all) {
        if (a[0] === b[0] || !fit(a, b)) continue;
        assert.ok(
          met.has([nameOf(...a), nameOf(...b)].sort().join('|')),
          `${nameOf(...a)} and ${nameOf(...b)} never meet`,
        );
      }
  });
});

describe('conformant services', () => {
  test('no check that can notice an answer blames it', { skip: SOAK && 'all checks meet them' }, async () => {
    // One in 32, others from the next seed: the soak tries each with all checks.
    const alone = singles(READINGS).filter((choice, at) => !isOpen(choice) && (at + SEED) % 32 === 0);
    const checks = await checksNoticing(alone);
    const few = alone.flatMap((choice, at) => {
      const { size } = checks[at]!;
      return size > 0 && size <= MAX_CHECKS_ALONE ? [{ choice, wanted: checks[at]! }] : [];
    });
    // Many answers are about every response, so that nearly all checks meet them: a third is left, and less by chance.
    assert.ok(few.length > alone.length / 8);
    const all: CheckSummary[] = [];
    for (const { choice, wanted } of few)
      all.push({ choice, judgement: judge(choice, await runOnService(choice, { wanted: (id) => wanted.has(id) })) });
    assert.deepEqual(problemsIn(all), []);
  });

  test('no check blames one, and an answer explains each undecided check', async () => {
    const alone = singles(READINGS).filter((choice) => !isOpen(choice));
    const services = [
      ...(SOAK ? alone : []),
      ...pairwise(READINGS, SEED, MAX_ANSWERS, PAIRWISE_SERVICES),
      ...drawn(READINGS, RANDOM_SERVICES, SEED, MAX_ANSWERS),
    ];
    const all = await judged(services);
    if (SOAK) {
      console.log(`${all.length} services`);
      for (const { row, answers, services, alarms, undecided, forced } of linesOf(READINGS, all))
        console.log(
          `${row}: ${answers} answers, ${services} services, ${alarms} alarms, ${undecided} undecided, ${forced} checks forced`,
        );
    }
    assert.deepEqual(problemsIn(all), []);
  });

  test('an answer with open work still raises its problem', {
    skip: SOAK ? false : 'with PROOFMARK_SOAK=1',
  }, async () => {
    for (const { choice, judgement } of await judged(singles(READINGS).filter(isOpen)))
      assert.notEqual(judgement.problems.length, 0, `${nameOfChoice(choice)} is done: take its mark away`);
  });

  test('that refuses small pages shows how its lists are linked', async () => {
    const choice = choiceOf(READINGS, 'lists.page-sizes/at-least-5');
    const wanted = (id: string): boolean => id === 'delivery.lists.observed-order-and-links';
    const { results } = await runOnService(choice, { wanted });
    assert.deepEqual(
      results.map(({ verdict }) => verdict),
      ['observed'],
    );
  });

  test('that serializes no configured values as an empty list is asked to configure some', async () => {
    const empty: Choice = new Map([
      [
        READINGS[0]!,
        {
          id: 'empty-list',
          about: 'No field is configured.',
          http: async (request, next) => {
            const response = await next(request);
            const isAbout = request.url.endsWith('/delivery_provider_settings/') && response.status === 200;
            return isAbout ? Response.json({ error: false, fields: [] }) : response;
          },
        },
      ],
    ]);
    const { results } = await runOnService(empty, {
      wanted: (id) => id.startsWith('delivery.settings.'),
      edit: ({ delivery }) => delete delivery.public.expectedFields,
    });
    const endings = results.map(({ verdict, attribution }) => `${verdict} ${attribution ?? ''}`.trim());
    assert.deepEqual([...new Set(endings)].sort(), ['inconclusive configuration', 'pass']);
  });

  test('gets no text of the run for an old one', async () => {
    const service = choiceOf(READINGS, 'apps.snippet-of-language/falls-back');
    const { after } = await runOnService(service, { wanted: (id) => id.startsWith('apps.snippet') });
    for (const row of Object.values(after.installations)) {
      const { snippets } = row as { snippets: Record<string, string> };
      assert.deepEqual(Object.values(snippets).join(''), '');
    }
  });

  test('that ignores an empty setting keeps one text of the run at most', async () => {
    const service = choiceOf(READINGS, 'reseller.settings-values/empty-ignored');
    const { before, after } = await runOnService(service, { wanted: (id) => id.startsWith('reseller.settings') });
    const settingsIn = ({ resellers }: typeof before): [string, unknown][] =>
      Object.values(resellers).flatMap((row) => Object.entries((row as { settings: object }).settings));
    const old = settingsIn(before).map((one) => JSON.stringify(one));
    const other = settingsIn(after).filter((one) => one[1] !== '' && !old.includes(JSON.stringify(one)));
    assert.equal(other.length, 1, JSON.stringify(other));
  });

  test('that takes no reference of the run is not blamed for a title that the run gave in its place', async () => {
    const service = choiceOf(READINGS, 'methods.reference-form/short-capitals');
    const ids = ['delivery.method.title-kept', 'delivery.multilanguage.string-sets-default-language'];
    const { results } = await runOnService(service, { wanted: (id) => ids.includes(id) });
    assert.deepEqual(
      results.map(({ id, verdict }) => `${id} ${verdict}`).sort(),
      ids.map((id) => `${id} pass`),
    );
  });

  test('that takes one setting in a call has its settings again', async () => {
    const service = choiceOf(READINGS, 'reseller.settings-fixed/one-at-a-time');
    const { before, after } = await runOnService(service, { wanted: (id) => id.startsWith('reseller.settings') });
    const settingsIn = ({ resellers }: typeof before): string[] =>
      Object.values(resellers).flatMap(({ settings }: { settings?: object }) =>
        Object.entries(settings ?? {}).flatMap(([name, text]) => (text === '' ? [] : [`${name} ${text}`])),
      );
    assert.deepEqual(settingsIn(after).sort(), settingsIn(before).sort());
  });

  test('a service that breaks the contract is blamed', async () => {
    const broken: Choice = new Map([
      [
        READINGS[0]!,
        {
          id: 'broken',
          about: 'Points lose their city.',
          rules: (correct) => ({
            mergePoint: (before, id, input, site) => ({ ...correct.mergePoint(before, id, input, site), city: null }),
          }),
        },
      ],
    ]);
    const { problems } = judge(
      broken,
      await runOnService(broken, { wanted: (id) => id.startsWith('delivery.point.') }),
    );
    assert.ok(problems.some(({ kind, check }) => kind === 'blamed' && check === 'delivery.point.city-kept'));
  });
});

/** How many of the next are in `npm test`. */
const FEW_IN_SEQUENCES = 5;
/** Answers that it takes some sequences to meet, with a seed that meets them. */
const MET_IN_SEQUENCES: readonly (readonly [name: string, seed: number, runs?: number])[] = [
  ['points.country-of-method/refused-in-lists', 1, 1],
  ['deletes.with-points/refused', 3],
  ['points.used-ids/taken-for-good', 8],
  ['points.unique-texts/unique-title', 226],
  ['methods.handle-source/used-again', 223],
  ['uploads.demands/published-first', 127],
  ['uploads.old-list/hidden+uploads.demands/published-first', 1],
  ['updates.unknown/makes-point', 1],
  ['updates.unknown/makes-method', 3],
  ['points.repeated-id/ignored', 71002, 12],
];

for (const [name, seed, propertyRuns = 8] of SOAK ? MET_IN_SEQUENCES : MET_IN_SEQUENCES.slice(0, FEW_IN_SEQUENCES)) {
  test(`the models of Delivery do not blame ${name} in ${propertyRuns} sequences`, async () => {
    const wanted = (id: string): boolean => /^properties\.delivery\.(?:model|whole-state)$/.test(id);
    const { results } = await runOnService(choiceOf(READINGS, name), { propertyRuns, seed, wanted });
    assert.deepEqual(
      results.map(({ verdict, reason }) => (verdict === 'pass' ? verdict : reason)),
      ['pass', 'pass'],
    );
  });
}

/** Checks that meet a refusal which only another call explains: they have to make that call themselves. */
const UNDECIDED_ALONE: Readonly<Record<string, string>> = {
  'points.quota/150': 'properties.batch.portions',
  'uploads.demands/one-at-a-time': 'delivery.batch.several-handles-in-portions',
};

for (const [name, check] of Object.entries(UNDECIDED_ALONE)) {
  test(`${check} alone does not blame a service with ${name}`, async () => {
    const wanted = (id: string): boolean => id === check;
    const { results } = await runOnService(choiceOf(READINGS, name), { propertyRuns: 1, wanted });
    assert.deepEqual(
      results.map(({ verdict }) => verdict),
      ['inconclusive'],
    );
  });
}

test('the model of Reseller leaves no domain on a service that changes none of a disabled website', async () => {
  const choice = choiceOf(READINGS, 'reseller.disabled-websites/no-domains');
  const wanted = (id: string): boolean => id === 'properties.reseller.model';
  const judgement = judge(choice, await runOnService(choice, { propertyRuns: 6, seed: 71002, wanted }));
  assert.deepEqual(problemsIn([{ choice, judgement }]), []);
});

/** Checks that have to find out by themselves what other checks find out before them. */
const DECIDED_ALONE: Readonly<Record<string, string>> = {
  'methods.required-in-updates/every-field': 'delivery.method.update-applies',
  'methods.required-in-updates/every-field+credentials.locks/slowed-down': 'delivery.credentials.every-write',
  'methods.required-in-updates/every-field+points.fixed/city': 'delivery.credentials.every-write',
  'methods.required-in-updates/every-field+resources.form/fields-like-wrappers':
    'delivery.credentials.provider-key-keeps-methods',
  'methods.fixed/reference+points.required-in-updates/id': 'delivery.credentials.every-write',
  'points.fixed/all-but-city': 'delivery.owner.points-not-changeable',
  'points.required-in-updates/every-field': 'delivery.point.update-applies',
  'points.required-in-updates/every-field+countries.form/own-only': 'delivery.point.empty-update-applies',
  'points.required-in-updates/title': 'delivery.handles.update-in-each',
  'reseller.domain-demands/subscription': 'reseller.token.domain-add-refuses',
  'reseller.premium-rules/ended-by-disable': 'reseller.domain.changes-keep-subscription',
  'texts.completed/null+points.required-in-updates/every-field': 'delivery.point.id-with-slash',
  'texts.completed/other+points.required-in-updates/every-field': 'delivery.point.empty-update-applies',
  'texts.unnamed-languages/string-refused-everywhere+points.fixed/address': 'delivery.owner.foreign-handle-beside-own',
};

test('wrong logins are decided where only GET is served and some of them lock the account', async () => {
  const choice = choiceOf(READINGS, 'reseller.methods/all-get+credentials.locks/logins');
  const wanted = (id: string): boolean => /^reseller\.authorize\.(?:token|wrong-.*)$/.test(id);
  const { results } = await runOnService(choice, { wanted });
  assert.deepEqual(
    results.map(({ verdict }) => verdict),
    ['pass', 'pass', 'pass'],
  );
});

for (const [name, check] of Object.entries(DECIDED_ALONE)) {
  test(`${check} is decided on a service with ${name}`, async () => {
    const { results } = await runOnService(choiceOf(READINGS, name), { wanted: (id) => id === check });
    assert.deepEqual(
      results.map(({ verdict }) => verdict),
      ['pass'],
    );
  });
}
