// Kept cases: those that come with Proofmark do something and find nothing on a service that keeps the contract; those of a
// user are read, refused with a sentence, found again, and added by --promote.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { CheckResult } from '../../../contracts/run/events.ts';
import { UsageError } from '../../../harness/process/usage-error.ts';
import type { PropertyVector } from '../../../harness/resources/run-info.ts';
import { runInProcess } from '../../../harness/runner/in-process.ts';
import { parseProfile } from '../../../harness/target/profile/index.ts';
import { faults } from '../../../mock/deviations.ts';
import { profileOf } from '../../../mock/profile.ts';
import { createService } from '../../../mock/service.ts';
import type { Deviation } from '../../../mock/types/deviation.ts';
import type { Results } from '../../../reports/results/shape.ts';
import { stepArbitrary as appsStep } from '../../../suites/properties/apps/whole-state/steps.ts';
import { stepArbitrary as deliveryStep } from '../../../suites/properties/delivery/whole-state/steps.ts';
import { PROPERTY_SUITES } from '../../../suites/properties/index.ts';
import { stepArbitrary as resellerStep } from '../../../suites/properties/reseller/whole-state/steps.ts';
import { folderFor, proofmark, resultsIn } from '../../common/command.fixture.ts';
import { runOptionsOf } from '../options.ts';
import { checkPromotion, promote } from './promote.ts';
import { ownVectors, userVectors } from './vectors.ts';

/** Runs one kept case and nothing else; counts its requests. */
async function tried(vector: PropertyVector, change: object = {}, deviations: Deviation[] = []) {
  const service = createService({ origin: 'http://127.0.0.1:9', deviations });
  const profile = parseProfile(JSON.stringify({ ...(profileOf(service) as object), ...change }), {
    file: 'profile of the test',
    folder: '.',
    env: {},
  });
  let requests = 0;
  const transport = (request: Request) => {
    requests += 1;
    return service.fetch(request);
  };
  const options = { profile, transport, propertyRuns: 0, vectors: [vector], instantPauses: true };
  const [result] = await runInProcess(PROPERTY_SUITES, options, ({ id }) => id === vector.property);
  return { result: result as CheckResult, requests };
}

const named = (name: string): PropertyVector => {
  const vector = ownVectors().find(({ file }) => file.endsWith(`/${name}.json`));
  assert.ok(vector, name);
  return vector;
};

/** Only the first of the methods that a change names is reached. */
const firstOnly: Deviation = {
  id: 'test.first-only',
  about: 'A delete under several handles reaches the first.',
  rules: (correct) => ({
    appliedTo: (methods, operation) =>
      operation === 'deletePoint' ? methods.slice(0, 1) : correct.appliedTo(methods, operation),
  }),
};

describe('the cases that come with Proofmark', () => {
  for (const vector of ownVectors()) {
    test(`${vector.file.split('/').slice(-2).join('/')} finds nothing on the embedded service`, async () => {
      const { result, requests } = await tried(vector);
      assert.equal(result.verdict, 'pass', result.reason);
      assert.ok(requests > 5, `${requests} requests`);
    });
  }

  test('one that finds something names the clause, the case and the file that repeats it', async () => {
    const vector = named('delivery/model-taken-again');
    const { result } = await tried(vector, {}, [firstOnly]);
    assert.equal(result.verdict, 'fail', result.reason);
    assert.deepEqual(result.clauses, ['delivery.handles.delete-from-each']);
    assert.deepEqual(result.counterexample, JSON.parse(JSON.stringify(vector.case)));
    assert.match(
      result.reason ?? '',
      /--only properties\.delivery\.model --vectors \S+taken-again\.json --runs 0 \(add "1"/,
    );
    assert.equal(result.replay, undefined);
  });

  test('one that covers much is reported with the few steps that it needs', async () => {
    const fault = faults.find(({ id }) => id === 'reseller.domains-lost-by-upgrade');
    assert.ok(fault);
    const { result } = await tried(named('reseller/whole-state-each-call-by-post'), {}, [fault]);
    assert.equal(result.verdict, 'fail', result.reason);
    const steps = (result.expected as { with: readonly string[] }).with;
    assert.deepEqual(steps, ['add the domain check.example', 'start premium']);
    assert.equal((result.counterexample as { values: [unknown[]] }).values[0].length, steps.length);
  });

  test('one that has no meaning on a target is skipped there', async () => {
    const { delivery, ...rest } = profileOf(createService({ origin: 'http://127.0.0.1:9' })) as {
      delivery: { private: { apiKey: string } };
    };
    const alone = { ...rest, delivery: { private: { apiKey: delivery.private.apiKey } } };
    const { result } = await tried(named('delivery/model-of-another-store'), alone);
    assert.equal(result.verdict, 'not-applicable', result.reason);
    const foreign = {
      property: 'properties.multilanguage.texts',
      file: 'x',
      case: { values: ['point', { qq: 'a' }, []] },
    };
    assert.equal((await tried(foreign)).result.verdict, 'not-applicable');
  });
});

describe('the cases of a user', () => {
  const ok = { property: 'properties.lists.walks', about: 'Pages.', case: { values: [3, 1, 2, true] } };

  test('are read from a folder or one by one, and none without a folder', (t) => {
    const folder = folderFor(t);
    writeFileSync(join(folder, 'b.json'), JSON.stringify(ok));
    writeFileSync(join(folder, 'readme.md'), 'not a case');
    const { property, case: one } = ok;
    assert.deepEqual(userVectors(folder), [{ property, file: join(folder, 'b.json'), case: one }]);
    assert.deepEqual(userVectors(join(folder, 'b.json')).length, 1);
    assert.deepEqual(userVectors(join(folder, 'none'), true), []);
    assert.throws(() => userVectors(join(folder, 'none')), /--vectors .*none does not exist/);
    assert.throws(() => checkPromotion(join(folder, 'b.json')), /--promote needs a folder/);
  });

  test('that are not cases are refused with the file and what is wrong', (t) => {
    const folder = folderFor(t);
    const file = join(folder, 'bad.json');
    for (const [text, sentence] of [
      ['{\n"', /bad\.json is not JSON \(.*\): correct it or delete it\./],
      [
        JSON.stringify({ ...ok, property: 'properties.unknown' }),
        /bad\.json is not a case of a property: \/property must be/,
      ],
      [JSON.stringify({ ...ok, case: { values: [0, 1, 2, true] } }), /bad\.json .*\/case\/values\/0 must be >= 1/],
      [
        JSON.stringify({ ...ok, property: 'properties.delivery.model' }),
        /bad\.json .*\/case must have required property/,
      ],
      [JSON.stringify({ ...ok, more: 1 }), /bad\.json .*it must NOT have additional properties/],
      [
        JSON.stringify({
          property: 'properties.delivery.model',
          about: 'x',
          case: { commands: [{ do: 'add', by: 'own', slots: ['A'], id: '..', fields: {} }] },
        }),
        /bad\.json .*\/case\/commands\/0/,
      ],
    ] as const) {
      writeFileSync(file, text);
      assert.throws(() => userVectors(folder), sentence);
    }
  });

  test('are added by promotion, each case once', (t) => {
    const folder = join(folderFor(t), 'kept');
    const check = {
      id: ok.property,
      counterexample: ok.case,
      reason: 'Wrong. To repeat it: …',
      clauses: ['a.b'],
      seed: 7,
      replay: '1:2',
    };
    const results = { target: { name: 'mock' }, checks: [check, { ...check, id: 'x.y', counterexample: undefined }] };
    const files = promote(results as unknown as Results, folder);
    assert.deepEqual(files, promote(results as unknown as Results, folder));
    assert.deepEqual(
      readdirSync(folder),
      files.map((file) => basename(file)),
    );
    assert.deepEqual(
      userVectors(folder).map((one) => one.case),
      [ok.case],
    );
    const kept = JSON.parse(readFileSync(files[0]!, 'utf8'));
    assert.equal(kept.about, 'Wrong');
    assert.deepEqual(kept.found.clauses, ['a.b']);
  });
});

describe('what a property finds can be read again', () => {
  /** Writes a case as a promotion does, and reads it. */
  const keep = (t: TestContext, property: string, one: object): void => {
    const folder = folderFor(t);
    writeFileSync(join(folder, 'kept.json'), JSON.stringify({ property, about: 'x', case: one }));
    assert.equal(userVectors(folder).length, 1);
  };

  for (const [property, step, ...rest] of [
    ['properties.delivery.whole-state', deliveryStep, 'other'],
    ['properties.apps.whole-state', appsStep],
    ['properties.reseller.whole-state', resellerStep],
  ] as const) {
    test(`each step of ${property}`, (t) => {
      const steps = fc.sample(step as fc.Arbitrary<unknown>, { seed: 7, numRuns: 150 });
      const first = property === 'properties.delivery.whole-state' ? [3] : [];
      keep(t, property, { values: [...first, steps, ...rest] });
    });
  }

  for (const [property, fault] of [
    ['properties.delivery.model', 'handles.add-to-first-only'],
    ['properties.apps.model', 'apps.data-shared'],
    ['properties.reseller.model', 'reseller.domain-listed-twice'],
    ['properties.reseller.whole-state', 'reseller.domain-listed-twice'],
  ] as const) {
    test(`the counterexample of ${property}`, async (t) => {
      const deviation = faults.find(({ id }) => id === fault);
      assert.ok(deviation, fault);
      const service = createService({ origin: 'http://127.0.0.1:9', deviations: [deviation] });
      const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: '.', env: {} });
      const options = { profile, transport: (one: Request) => service.fetch(one), instantPauses: true } as const;
      const [result] = await runInProcess(
        PROPERTY_SUITES,
        { ...options, propertyRuns: 20 },
        ({ id }) => id === property,
      );
      assert.equal(result?.verdict, 'fail', result?.reason);
      assert.ok(result.counterexample);
      keep(t, property, result.counterexample);
    });
  }
});

test('a run keeps what it finds, and the next one tries that first, with properties off too', async (t) => {
  const folder = folderFor(t);
  mkdirSync(join(folder, 'home'));
  const cwd = { cwd: join(folder, 'home') };
  const args = ['run', '--target', 'mock:fault=handles.add-to-first-only', '--only', 'properties.delivery.model'];
  const first = await proofmark([...args, '--out', join(folder, 'one'), '--promote'], cwd);
  assert.equal(first.code, 1, first.stdout + first.stderr);
  const [kept] = readdirSync(join(folder, 'home', 'proofmark-vectors'));
  assert.match(first.stdout, new RegExp(`Promoted: \\S*${kept}, which every later run tries first`));
  const [before] = resultsIn(join(folder, 'one')).checks;
  assert.ok(before?.counterexample);

  const next = await proofmark([...args, '--out', join(folder, 'two'), '--runs', '0'], cwd);
  assert.equal(next.code, 1, next.stdout + next.stderr);
  const { checks, requests } = resultsIn(join(folder, 'two'));
  assert.deepEqual(checks[0]?.clauses, before.clauses);
  assert.deepEqual(checks[0]?.counterexample, before.counterexample);
  assert.ok(requests < 120, `${requests} requests`);
  assert.match(checks[0]?.reason ?? '', new RegExp(`--vectors \\S*${kept} --runs 0`));
});

test('an unusable case is reported in one sentence, with exit code 2', async (t) => {
  const folder = folderFor(t);
  writeFileSync(join(folder, 'bad.json'), '{}');
  for (const [args, sentence] of [
    [['--seed', 'often'], /^--seed must be a whole number from 0 to \d+, not "often"\.$/],
    [
      ['--seed', '-1'],
      /^--seed needs a value, and "-1" follows it \(write --seed=-1 .*\): see proofmark run --help\.$/,
    ],
    [['--runs=-1'], /^--runs must be a whole number from 0 to \d+, not "-1"\.$/],
    [['--replay', 'x'], /^--replay takes .*"x" is neither\.$/],
    [['--replay', '1:2'], /^--replay repeats .*--only.*\.$/],
    [['--promote', '--vectors', join(folder, 'bad.json')], /^--promote needs a folder .*\.$/],
  ] as const) {
    assert.throws(
      () => runOptionsOf(args),
      (error) => error instanceof UsageError && sentence.test(error.message),
      args.join(' '),
    );
  }
  const ran = await proofmark(['run', '--out', join(folder, 'out'), '--vectors', folder]);
  assert.equal(ran.code, 2, ran.stdout + ran.stderr);
  assert.match(ran.stderr, /^proofmark: .*bad\.json is not a case of a property: .*Correct it or delete it\.\n$/);
});
