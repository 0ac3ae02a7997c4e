// The clauses and observations themselves: well-formed, each one sentence in our own words, each at a place that exists.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { type InventoryRow, observationsIn, sentencesOf, unitsOf } from '../inventory/inventory.ts';

interface ClauseRow {
  id: string;
  level: string;
  party: string;
  section: string;
  text: string;
  'rests-on'?: string[];
  excluded?: string;
}
interface ObservationRow {
  id: string;
  section: string;
  question: string;
}

const beside = fileURLToPath(new URL('../../../shared/spec/interfaces.md', import.meta.url));
const specPath = process.env.PROOFMARK_SPEC ?? beside;
const withoutSpec = existsSync(specPath)
  ? false
  : 'the spec is not at $PROOFMARK_SPEC or at ../shared/spec/interfaces.md beside the project';

const yaml = (name: string) => parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
const files = readdirSync(new URL('./', import.meta.url)).filter((file) => file.endsWith('.yaml'));
const clauses: ClauseRow[] = files.flatMap((file) => yaml(`./${file}`));
const observations: ObservationRow[] = yaml('../inventory/observations.yaml');
const inventory: InventoryRow[] = yaml('../inventory/inventory.yaml');

/** A path of meaning: words in lower case, joined by hyphens, in at least two steps, the first of which names the subject. */
const ID = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+$/;
/** So many words in the same order are a copy of the spec, not an understanding of it. */
const MAX_EQUAL_WORDS_AT = 7;

/** What is wrong with a clause, as sentences that begin with its id. */
function clauseProblems(row: ClauseRow): string[] {
  const problems: string[] = [];
  const say = (what: string) => problems.push(`${row.id}: ${what}`);
  const keys = Object.keys(row).filter((key) => key !== 'excluded' && key !== 'rests-on');
  if (keys.join() !== 'id,level,party,section,text')
    say('its keys are id, level, party, section, text, in this order.');
  if (!['MUST', 'SHOULD', 'MAY'].includes(row.level)) say(`"${row.level}" is not a level.`);
  if (!['service', 'integrator'].includes(row.party)) say(`"${row.party}" is not a party.`);
  if (!isOneSentence(row.text) || !row.text.endsWith('.'))
    say('its text has to be one sentence that ends with a full stop.');
  if (row.excluded !== undefined && !/^\p{Lu}.{20,}\.$/u.test(row.excluded))
    say('excluded has to give its reason in a sentence.');
  return [...problems, ...idProblems(row.id)];
}

/** What is wrong with an observation, as sentences that begin with its id. */
function observationProblems(row: ObservationRow): string[] {
  const problems: string[] = [];
  if (Object.keys(row).join() !== 'id,section,question') {
    problems.push(`${row.id}: its keys are id, section, question, in this order.`);
  }
  if (!isOneSentence(row.question) || !row.question.endsWith('?'))
    problems.push(`${row.id}: its question has to be one.`);
  return [...problems, ...idProblems(row.id)];
}

function idProblems(id: unknown): string[] {
  if (typeof id !== 'string' || !ID.test(id))
    return [`${id}: an id is a path of lower-case words such as delivery.batch.refuses-101-points.`];
  return id.split('.').some((step) => /^\d+$/.test(step))
    ? [`${id}: a number alone names a section, not a meaning.`]
    : [];
}

function isOneSentence(text: unknown): text is string {
  return typeof text === 'string' && !text.includes('\n') && /^\p{Lu}/u.test(text) && sentencesOf(text).length === 1;
}

/** The first run of words that `ours` shares with any of `theirs` and that is longer than allowed. */
function copiedFrom(theirs: readonly string[], ours: string): string | undefined {
  const length = MAX_EQUAL_WORDS_AT + 1;
  const runs = new Set(theirs.flatMap((text) => runsOf(text, length)));
  return runsOf(ours, length).find((run) => runs.has(run));
}

function runsOf(text: string, length: number): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(length - 1).map((_, at) => words.slice(at, at + length).join(' '));
}

describe('the clauses', () => {
  test('are well-formed rows', () => assert.deepEqual(clauses.flatMap(clauseProblems), []));

  test('have ids of their own', () => assert.deepEqual(repeated(clauses.map((row) => row.id)), []));

  test('say something of their own', () => assert.deepEqual(repeated(clauses.map((row) => row.text)), []));

  test('are in a section in which the inventory finds a unit that carries them', () => {
    const carried = new Set(inventory.flatMap((row) => (row.clauses ?? []).map((id) => `${id} in ${row.section}`)));
    assert.deepEqual(
      clauses.map((row) => `${row.id} in ${row.section}`).filter((place) => !carried.has(place)),
      [],
    );
  });

  test('and the observations copy no sentence of the spec', { skip: withoutSpec }, () => {
    const spec = unitsOf(readFileSync(specPath, 'utf8')).map((unit) => unit.text);
    const own = [...clauses.map((row) => [row.id, row.text]), ...observations.map((row) => [row.id, row.question])];
    const copies = own.map(([id, text]) => [id, copiedFrom(spec, text!)]).filter(([, copy]) => copy !== undefined);
    assert.deepEqual(copies, []);
  });
});

describe('the observations', () => {
  test('are well-formed rows', () => assert.deepEqual(observations.flatMap(observationProblems), []));

  test('have ids that no clause and no other observation has', () => {
    assert.deepEqual(repeated([...clauses, ...observations].map((row) => row.id)), []);
  });

  test('are in a section in which the inventory finds a unit that carries them', () => {
    const carried = new Set(inventory.flatMap((row) => observationsIn(row).map((id) => `${id} in ${row.section}`)));
    assert.deepEqual(
      observations.map((row) => `${row.id} in ${row.section}`).filter((place) => !carried.has(place)),
      [],
    );
  });
});

describe('what a row of clauses is refused for', () => {
  const good: ClauseRow = {
    id: 'delivery.batch.refuses-101-points',
    level: 'MUST',
    party: 'service',
    section: 'Limits',
    text: 'A longer list is refused.',
  };
  const excluded = 'It is a decision that people make.';
  const cases: [string, ClauseRow, RegExp][] = [
    ['nothing when all is well', good, /^$/],
    ['nothing when it is excluded for a reason', { ...good, excluded }, /^$/],
    ['an id that is not a path', { ...good, id: 'Batch' }, /an id is a path/],
    ['a section number in the id', { ...good, id: 'delivery.3.batch' }, /names a section/],
    ['an unknown level', { ...good, level: 'SHALL' }, /is not a level/],
    ['an unknown party', { ...good, party: 'reseller' }, /is not a party/],
    ['two sentences', { ...good, text: 'It is refused. It stays.' }, /one sentence/],
    ['no full stop', { ...good, text: 'It is refused' }, /one sentence/],
    ['a reason that gives none', { ...good, excluded: 'no' }, /give its reason/],
    ['a further key', { ...good, note: 'x' } as ClauseRow, /its keys are/],
  ];
  for (const [what, row, expected] of cases) {
    test(what, () => assert.match(clauseProblems(row).join('\n'), expected));
  }

  test('eight words as the spec has them, whatever their case and punctuation', () => {
    const theirs = ['The quick brown fox, it `jumps` over a lazy dog.'];
    assert.equal(
      copiedFrom(theirs, 'Quick brown fox: it jumps over a LAZY cat.'),
      'quick brown fox it jumps over a lazy',
    );
    assert.equal(copiedFrom(theirs, 'Brown fox: it jumps over a lazy cat.'), undefined);
  });
});

function repeated(values: readonly string[]): string[] {
  return values.filter((value, at) => values.indexOf(value) !== at);
}
