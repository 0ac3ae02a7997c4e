/**
 * A profile may leave out any of its values, permissions and parts. A conformant service is blamed for none of it, whatever answers
 * it gives to the contract's silences, and a run that may change nothing changes nothing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomFrom } from '../../harness/runner/order/shuffle.ts';
import { PARTS } from '../../harness/target/profile/shape/index.ts';
import { singles } from '../readings/draw.ts';
import { type Choice, choiceOf, nameOfChoice } from '../readings/reading.ts';
import { READINGS } from '../readings/rows/index.ts';
import { type EditableProfile, runOnService } from '../readings/run-service.ts';

const IS_SOAK = process.env.PROOFMARK_SOAK === '1';
const SERVICES = IS_SOAK ? 1_000 : 3;
/** How much of a profile is left out: from a value or two to a quarter. */
const SHARES = [0.03, 0.1, 0.25];
/** How many of its permissions: from none to all. */
const SHARES_OF_PERMISSIONS = [0, 0.2, 0.5, 1];
const SHARE_WITH_ABSENT_PARTS = 0.2;
/** Keys that are not values of the service, or that a list of them follows. */
const KEPT = ['name', 'allow', 'driver'];

type Random = () => number;
const oneOf = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)]!;

/** Leaves values out at random, at any depth. The names of what is left out. */
function leaveOut(random: Random, share: number, value: EditableProfile, path = ''): string[] {
  return Object.keys(value).flatMap((key) => {
    const name = `${path}${key}`;
    if (KEPT.includes(name)) return [];
    if (random() < share) {
      delete value[key];
      return [name];
    }
    const inner = value[key];
    const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
    return isObject ? leaveOut(random, share, inner, `${name}.`) : [];
  });
}

/** Leaves out values, permissions and parts. Says what is missing. */
function reduce(random: Random, profile: EditableProfile): string {
  const left = leaveOut(random, oneOf(random, SHARES), profile);
  const share = oneOf(random, SHARES_OF_PERMISSIONS);
  profile.allow = profile.allow.filter(() => random() >= share);
  if (random() < SHARE_WITH_ABSENT_PARTS) profile.absent = PARTS.filter(() => random() < SHARE_WITH_ABSENT_PARTS);
  return `without ${left.join(', ') || 'nothing'}; allow ${profile.allow}; absent ${profile.absent ?? []}`;
}

/** What is wrong about a run with such a profile. */
async function problemsOf(
  choice: Choice,
  edit: (profile: EditableProfile) => string,
  wanted: (check: string) => boolean = () => true,
): Promise<string[]> {
  let about = '';
  let mayChange = true;
  const { results, before, after } = await runOnService(choice, {
    wanted,
    edit: (profile) => {
      about = edit(profile);
      mayChange = profile.allow.length > 0;
    },
  });
  const blamed = results
    .filter(({ verdict, because }) => verdict === 'fail' || verdict === 'error' || because !== undefined)
    .map(({ id, verdict, reason }) => `${nameOfChoice(choice)} ${about}: ${id} ${verdict}: ${reason}`);
  if (!mayChange) assert.deepEqual(after, before, `${nameOfChoice(choice)} ${about}: the run changed something`);
  return blamed;
}

test('whatever a profile leaves out, no service is blamed', async () => {
  const services = singles(READINGS);
  for (let seed = 0; seed < SERVICES; seed += 1) {
    const random = randomFrom(seed);
    const choice = oneOf(random, services);
    assert.deepEqual(await problemsOf(choice, (profile) => reduce(random, profile)), []);
  }
});

/** Found by the soak, all of them by checks of Delivery. */
const CASES: readonly {
  readonly what: string;
  readonly answer: string;
  readonly edit: (profile: EditableProfile) => void;
}[] = [
  {
    what: 'without languages, a method is not taken for the one before it, which has the same mark',
    answer: 'methods.create-response/other-name',
    edit: (profile) => {
      delete profile.website;
    },
  },
  {
    what: 'without a store to compare with, a delivery provider may not be able to change a reference',
    answer: 'methods.fixed/all-but-title',
    edit: (profile) => {
      delete profile.delivery.private;
    },
  },
  {
    what: 'without languages, a title in the default one may be refused and a plain one taken',
    answer: 'texts.unnamed-languages/all-needed',
    edit: (profile) => {
      delete profile.website.languages;
      delete profile.website.pages;
    },
  },
  {
    what: 'without any page, no check looks for one',
    answer: 'lists.last-link/null',
    edit: (profile) => {
      profile.website.pages = {};
    },
  },
];

for (const { what, answer, edit } of CASES) {
  test(what, async () => {
    const reduced = (profile: EditableProfile): string => {
      edit(profile);
      return what;
    };
    const ofDelivery = (check: string): boolean => IS_SOAK || /^(?:envelope\.)?delivery\./.test(check);
    assert.deepEqual(await problemsOf(choiceOf(READINGS, answer), reduced, ofDelivery), []);
  });
}
