/** The small files of flags: keys of `--keys`, rows of `--fixtures`, cases of `--vectors`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readKeys } from '../../../cli/judge/keys.ts';
import { userVectors } from '../../../cli/run/replay/vectors.ts';
import { UsageError } from '../../../harness/process/usage-error.ts';
import { FixturesError, readFixtures } from '../../../mock/fixtures/file.ts';
import { createService } from '../../../mock/service.ts';
import { expectPlainRefusal, type Kind } from '../kind.ts';
import { changedJson } from '../mutate.ts';

const KEYS = { API_KEY: '${PATH}', APP_SECRET: 'a-secret', other_key: 'another' };
const FIXTURES = {
  websites: [{ id: 7, alias: 'seven', apiKey: 'key-of-seven-0001', languages: ['en', 'lv'], defaultLanguage: 'en' }],
  methods: [{ handle: 'a', owner: 'website:7', title: { en: 'A' }, print_label_url: null }],
  points: { a: [{ id: '1', title: 'One', country: 'LV', attributes: { x: 1 } }] },
};
const VECTOR = { property: 'properties.signatures', case: { fields: [['a', 'b']], key: 'k' } };

const read: ReadonlyArray<readonly [value: unknown, read: (file: string) => unknown]> = [
  [KEYS, readKeys],
  [
    FIXTURES,
    (file) => {
      try {
        createService({ origin: 'http://127.0.0.1:4010', fixtures: readFixtures(file) }).close();
      } catch (error) {
        // As `proofmark mock` does.
        throw error instanceof FixturesError ? new UsageError(error.message) : error;
      }
    },
  ],
  [VECTOR, (file) => userVectors(file)],
];

export const smallFiles: Kind = {
  name: 'small files',
  few: 40,
  tried(chance, folder) {
    const [value, reader] = chance.pick(read);
    const file = join(folder, 'small.json');
    writeFileSync(file, changedJson(value, chance));
    return expectPlainRefusal(() => reader(file), file);
  },
};
