/**
 * The rules of the schemas that CI systems hold `junit.xml` to, as a table. Two revisions of the schema of Jenkins' xUnit
 * plugin (junit-10) are in use; only what both allow is here. GitLab reads a part of it, and drops a second case of one name.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunEvent } from '../../contracts/run/events.ts';
import { foldResults } from '../results/index.ts';
import { CLAUSES, cleanRun, sampleCheck, sampleFooter, sampleHeader, sampleRun } from '../sample.fixture.ts';
import { renderJunit } from './junit.ts';

interface Rule {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly children: readonly string[];
}

const RULES: Readonly<Record<string, Rule>> = {
  testsuites: { required: [], optional: ['name', 'time', 'tests', 'failures', 'errors'], children: ['testsuite'] },
  testsuite: {
    required: ['name', 'tests', 'failures', 'errors'],
    optional: ['time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file', 'log', 'url'],
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
  },
  properties: { required: [], optional: [], children: ['property'] },
  property: { required: ['name', 'value'], optional: [], children: [] },
  testcase: {
    required: ['name'],
    optional: ['time', 'classname', 'group'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  skipped: { required: [], optional: ['type', 'message'], children: [] },
  failure: { required: [], optional: ['type', 'message'], children: [] },
  error: { required: [], optional: ['type', 'message'], children: [] },
  'system-out': { required: [], optional: [], children: [] },
};
/** Of the suites, seconds in the form that Maven's Surefire writes. */
const TIME = /^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$/;

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
}

/** Elements and attributes of a document without comments, sections or processing instructions. */
function parse(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [] };
  const open = [root];
  for (const [, close, name = '', rest = '', self] of xml.matchAll(/<(\/?)([a-z-]+)((?:\s[\w-]+="[^"<]*")*)(\/?)>/g)) {
    if (close) {
      assert.equal(open.pop()?.name, name);
      continue;
    }
    const attributes = Object.fromEntries(
      [...rest.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
    );
    const element: Element = { name, attributes, children: [] };
    open.at(-1)?.children.push(element);
    if (!self) open.push(element);
  }
  return root.children[0]!;
}

/** The sentences that say where a document breaks the rules. */
function problemsOf({ name, attributes, children }: Element): string[] {
  const rule = RULES[name];
  if (rule === undefined) return [`<${name}> is not known`];
  const names = Object.keys(attributes);
  return [
    ...rule.required.filter((key) => !names.includes(key)).map((key) => `<${name}> lacks ${key}`),
    ...names
      .filter((key) => ![...rule.required, ...rule.optional].includes(key))
      .map((key) => `<${name}> may not have ${key}`),
    ...children.filter((one) => !rule.children.includes(one.name)).map((one) => `<${name}> may not hold <${one.name}>`),
    ...(name.startsWith('testsuite') && !TIME.test(attributes.time ?? '') ? [`<${name}> has a wrong time`] : []),
    ...children.flatMap(problemsOf),
  ];
}

const all = (element: Element, name: string): Element[] => [
  ...(element.name === name ? [element] : []),
  ...element.children.flatMap((child) => all(child, name)),
];

const undecided: RunEvent[] = [
  sampleHeader({ selected: ['reseller.login.token', 'apps.list'] }),
  sampleCheck('apps.list'),
  sampleCheck('reseller.login.token', {
    clauses: ['reseller.login'],
    verdict: 'inconclusive',
    attribution: 'configuration',
    reason: 'the profile has no "reseller.email"',
  }),
  sampleFooter(),
];
const FINDING = { reason: 'known', owner: 'team', expires: '2999-01-01' };
const known = sampleRun().map((event) =>
  event.type === 'header'
    ? { ...event, baseline: { file: 'b.json', findings: [{ check: 'delivery.method.*', ...FINDING }] } }
    : event,
);
const stale = cleanRun().map((event) =>
  event.type === 'header'
    ? { ...event, baseline: { file: 'b.json', findings: [{ check: '*login*', ...FINDING }] } }
    : event,
);
const failOnWarn = sampleRun().map((event) =>
  event.type === 'header' ? { ...event, failOn: 'warn' as const } : event,
);
const RUNS: Readonly<Record<string, readonly RunEvent[]>> = {
  'with failures': sampleRun(),
  clean: cleanRun(),
  'cut off': cleanRun().slice(0, -1),
  interrupted: [...cleanRun().slice(0, -1), sampleFooter({ interrupted: 'Ctrl-C' })],
  undecided,
  'with known findings': known,
  'with a stale baseline': stale,
  'that fails on warnings': failOnWarn,
};

test('junit.xml keeps the rules of the schemas, and its figures are right', () => {
  for (const [name, run] of Object.entries(RUNS)) {
    const document = parse(renderJunit(foldResults(run, CLAUSES)));
    assert.deepEqual(problemsOf(document), [], name);
    const cases = all(document, 'testcase');
    const keys = cases.map(({ attributes }) => `${attributes.classname} ${attributes.name}`);
    assert.equal(new Set(keys).size, keys.length, `${name}: a case of each name`);
    for (const suite of [document, ...all(document, 'testsuite')]) {
      const { tests, failures, errors } = suite.attributes;
      assert.deepEqual(
        [tests, failures, errors].map(Number),
        ['testcase', 'failure', 'error'].map((kind) => all(suite, kind).length),
        name,
      );
    }
  }
});

test('junit.xml: a run that fails has a red case, and one that does not fail has none', () => {
  for (const [name, run] of Object.entries(RUNS)) {
    const results = foldResults(run, CLAUSES);
    const document = parse(renderJunit(results));
    const red = all(document, 'failure').length + all(document, 'error').length;
    assert.equal(red > 0, results.exitCode !== 0, `${name}: exit ${results.exitCode}, ${red} red`);
  }
});

test('junit.xml: a case names its clauses, level and attribution, and a suite its file', () => {
  const run = sampleRun().map((event) =>
    event.type === 'header'
      ? { ...event, plan: event.plan?.map((planned) => ({ ...planned, source: 'suites/delivery/a.ts:7' })) }
      : event,
  ) as RunEvent[];
  const xml = renderJunit(foldResults(run, CLAUSES));
  assert.match(xml, /<testsuite name="delivery" file="suites\/delivery\/a\.ts"/);
  assert.match(
    xml,
    /\[\[PROPERTY\|clause=delivery\.method\.add\]\]\n\[\[PROPERTY\|level=MUST\]\]\n\[\[PROPERTY\|verdict=fail\]\]\n\[\[PROPERTY\|attribution=target\]\]\n\[\[PROPERTY\|file=suites\/delivery\/a\.ts\]\]\n\[\[PROPERTY\|source=suites\/delivery\/a\.ts:7\]\]/,
  );
});

test('the rules themselves notice what the schemas forbid', () => {
  const wrong =
    '<testsuites skipped="1"><testsuite name="a" tests="1"><testcase file="x"><properties></properties></testcase></testsuite></testsuites>';
  assert.deepEqual(problemsOf(parse(wrong)), [
    '<testsuites> may not have skipped',
    '<testsuite> lacks failures',
    '<testsuite> lacks errors',
    '<testcase> lacks name',
    '<testcase> may not have file',
    '<testcase> may not hold <properties>',
  ]);
});
