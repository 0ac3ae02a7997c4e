// The inventory against the spec itself, where the spec is beside the project; and the cutting of documents into units.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { type InventoryRow, inventoryProblems, sentencesOf, unitsOf } from './inventory.ts';

const beside = fileURLToPath(new URL('../../../shared/spec/interfaces.md', import.meta.url));
const specPath = process.env.PROOFMARK_SPEC ?? beside;
const withoutSpec = existsSync(specPath)
  ? false
  : 'the spec is not at $PROOFMARK_SPEC or at ../shared/spec/interfaces.md beside the project';

const yaml = (name: string) => parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
const idsOf = (rows: { id: string }[]) => rows.map((row) => row.id);
const rows: InventoryRow[] = yaml('./inventory.yaml');
const clauses = readdirSync(new URL('../clauses/', import.meta.url))
  .filter((file) => file.endsWith('.yaml'))
  .flatMap((file) => idsOf(yaml(`../clauses/${file}`)));
const known = { clauses, observations: idsOf(yaml('./observations.yaml')) };

describe('the inventory of the spec', () => {
  test('accounts for every sentence and table row as of today', { skip: withoutSpec }, () => {
    assert.deepEqual(inventoryProblems(unitsOf(readFileSync(specPath, 'utf8')), rows, known), []);
  });

  test('is whole in itself: rows well-formed, every id known, every clause and observation carried', () => {
    const units = rows.map((row) => ({ ...row, text: '' }));
    assert.deepEqual(inventoryProblems(units, rows, known), []);
  });

  test('keeps no text of the spec', () => {
    for (const row of rows) {
      const { section: _section, sha256: _sha256, ...rest } = row;
      for (const word of JSON.stringify(rest).match(/[a-z0-9.-]+ [a-z0-9.-]+/g) ?? [])
        assert.fail(`prose in a row: ${word}`);
    }
  });
});

describe('what the inventory complains about', () => {
  const units = unitsOf('# T\n\n## S\n\nOne binds. Two is open. Three is prose.\n');
  const [one, two, three] = units.map(({ section, ordinal, sha256 }) => ({ section, ordinal, sha256 }));
  const row = (at: typeof one, rest: Partial<InventoryRow>): InventoryRow => ({ ...at!, ...rest });
  const good = [
    row(one, { clauses: ['a.b'] }),
    row(two, { observation: 'o.p' }),
    row(three, { because: 'stated-elsewhere', where: 'a.b' }),
  ];
  const ids = { clauses: ['a.b'], observations: ['o.p'] };
  const problems = (changed: InventoryRow[], wanted = ids) => inventoryProblems(units, changed, wanted);

  const cases: [string, string[], RegExp][] = [
    ['nothing when all is well', problems(good), /^$/],
    ['a unit without a row', problems(good.slice(0, 2)), /unit 3: the spec has this unit, the inventory has no row/],
    [
      'a row without a unit',
      problems([...good, row({ ...one!, ordinal: 4 }, { because: 'not-normative' })]),
      /unit 4: .*does not exist in the spec/,
    ],
    ['two rows for a unit', problems([...good, good[0]!]), /unit 1: the inventory has two rows/],
    ['a changed text', problems([{ ...good[0]!, sha256: two!.sha256 }, ...good.slice(1)]), /unit 1: the text changed/],
    [
      'an unknown clause',
      problems([row(one, { clauses: ['a.b', 'a.c'] }), ...good.slice(1)]),
      /the clause "a\.c" does not exist/,
    ],
    [
      'an unknown observation',
      problems([row(one, { clauses: ['a.b'], observations: ['o.q'] }), ...good.slice(1)]),
      /the observation "o\.q" does not exist/,
    ],
    [
      'an unknown clause in where',
      problems([...good.slice(0, 2), row(three, { because: 'stated-elsewhere', where: 'x.y' })]),
      /the clause "x\.y" does not exist/,
    ],
    [
      'stated elsewhere without where',
      problems([...good.slice(0, 2), row(three, { because: 'stated-elsewhere' })]),
      /"where" goes with/,
    ],
    [
      'a row that says nothing',
      problems([...good.slice(0, 2), row(three, {})]),
      /unit 3: name clauses, an observation, or a reason/,
    ],
    [
      'a row that says two things',
      problems([row(one, { clauses: ['a.b'], because: 'not-normative' }), ...good.slice(1)]),
      /has no reason beside/,
    ],
    [
      'an unheard-of reason',
      problems([...good.slice(0, 2), row(three, { because: 'boring' as 'not-normative' })]),
      /"boring" is not one of/,
    ],
    ['an id named twice', problems([row(one, { clauses: ['a.b', 'a.b'] }), ...good.slice(1)]), /listed twice/],
    [
      'a key that rows do not have',
      problems([...good.slice(0, 2), { ...good[2]!, text: 'Three is prose.' } as InventoryRow]),
      /"text" is not a key/,
    ],
    ['an invented clause', problems(good, { ...ids, clauses: ['a.b', 'z.z'] }), /Clause "z\.z": no unit/],
    [
      'an invented observation',
      problems(good, { ...ids, observations: ['o.p', 'z.z'] }),
      /Observation "z\.z": no unit/,
    ],
  ];
  for (const [what, found, expected] of cases) test(what, () => assert.match(found.join('\n'), expected));
});

describe('unitsOf', () => {
  const places = (markdown: string) =>
    unitsOf(markdown).map((unit) => `${unit.section} #${unit.ordinal}: ${unit.text}`);

  test('names a unit by its headings, the title only where it is alone', () => {
    assert.deepEqual(places('# T\nFirst.\n## A\nSecond.\n### B\nThird.\n## C\nFourth.'), [
      'T #1: First.',
      'A #1: Second.',
      'A, B #1: Third.',
      'C #1: Fourth.',
    ]);
  });

  test('takes each table row as one unit and neither header nor separator', () => {
    assert.deepEqual(places('## A\n| x | y |\n|---|:-:|\n| one. Two. |  b |\n| c | d |'), [
      'A #1: | one. Two. | b |',
      'A #2: | c | d |',
    ]);
  });

  test('joins wrapped lines and cuts list items into sentences', () => {
    assert.deepEqual(places('## A\n- One\n  goes on. Two.\n  - Three\n2. Four'), [
      'A #1: One goes on.',
      'A #2: Two.',
      'A #3: Three',
      'A #4: Four',
    ]);
  });

  test('takes a short caption as a part of the path of what follows it, up to the next paragraph', () => {
    assert.deepEqual(
      places('## A\nSteps to take:\n1. One.\n2. Two.\n\nAfter. It.\n\nA longer line that announces:\n- Three'),
      [
        'A, Steps to take #1: One.',
        'A, Steps to take #2: Two.',
        'A #1: After.',
        'A #2: It.',
        'A #3: A longer line that announces:',
        'A #4: Three',
      ],
    );
  });

  test('depends neither on line ends nor on the amount of white space', () => {
    const digests = (markdown: string) => unitsOf(markdown).map((unit) => unit.sha256);
    assert.deepEqual(digests('## A\r\n\r\nOne  two.\tThree.\r\n'), digests('\uFEFF## A\nOne two.\n Three.'));
    assert.notDeepEqual(digests('## A\nOne two.'), digests('## A\nOne two!'));
  });

  test('gives the SHA-256 of the text', () => {
    const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    assert.equal(unitsOf('abc')[0]?.sha256, abc);
  });
});

describe('sentencesOf', () => {
  const cases: [string, string[]][] = [
    ['One. Two? Three! Four', ['One.', 'Two?', 'Three!', 'Four']],
    ['A. Delivery is one. B is two.', ['A. Delivery is one.', 'B is two.']],
    ['Some, e.g. These, stay. `Code` begins.', ['Some, e.g. These, stay.', '`Code` begins.']],
    ['Not in `a. B` and not in x.y.z or api.Name. Here.', ['Not in `a. B` and not in x.y.z or api.Name.', 'Here.']],
    ['(All of this. And that.) Then.', ['(All of this.', 'And that.)', 'Then.']],
    ['lower. case goes on', ['lower. case goes on']],
  ];
  for (const [prose, sentences] of cases) test(prose, () => assert.deepEqual(sentencesOf(prose), sentences));
});
