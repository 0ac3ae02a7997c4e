/** Malformed inputs: values of any kind, and valid files with something wrong in them. */
import type { Chance } from './prng.ts';

/** Texts that are known to break parsers. */
export const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  '\uFEFF',
  '\u2028',
  '__proto__',
  'constructor',
  'toString',
  '../../../etc/passwd',
  '%',
  '%00',
  '%zz',
  '${',
  '${}',
  '${PATH}',
  '${__proto__}',
  'http://',
  'http://[',
  'https://user:pass@host:99999/v1/',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'data:,x',
  '-',
  '--',
  '-1',
  '1e999',
  '0x10',
  'NaN',
  'null',
  'Rīga 🍯',
  'e\u0301',
  '\u202Eabc',
  '*',
  '**',
  '[',
  '(',
  '\\',
  '"',
  "'",
  '<script>',
  'a'.repeat(3_000),
  '\n',
  '\r\n',
  '2026-13-45T99:99:99Z',
];

const NUMBERS = [0, -0, -1, 1, 0.5, 101, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, Number.MIN_VALUE];

/** A JSON value of any shape. */
export function anyValue(chance: Chance, depth = 3): unknown {
  switch (chance.below(depth > 0 ? 8 : 5)) {
    case 0:
      return null;
    case 1:
      return chance.oneIn(2);
    case 2:
      return chance.pick(NUMBERS);
    case 3:
    case 4:
      return chance.pick(ODD_TEXTS);
    case 5:
      return Array.from({ length: chance.below(4) }, () => anyValue(chance, depth - 1));
    default: {
      const members = Array.from({ length: chance.below(4) }, () => [
        chance.pick(ODD_TEXTS),
        anyValue(chance, depth - 1),
      ]);
      return Object.fromEntries(members);
    }
  }
}

/** A copy of a JSON value with one to three changes: a member is removed, renamed, copied elsewhere, or of another type. */
export function changedValue(value: unknown, chance: Chance): unknown {
  let changed = structuredClone(value);
  for (let times = 1 + chance.below(3); times > 0; times -= 1) changed = changedOnce(changed, chance);
  return changed;
}

function changedOnce(root: unknown, chance: Chance): unknown {
  const places = containersIn(root);
  if (places.length === 0 || chance.oneIn(40)) return anyValue(chance);
  const place = chance.pick(places);
  if (Array.isArray(place)) {
    const at = chance.below(place.length + 1);
    if (chance.oneIn(2)) place.splice(at, 1);
    else place.splice(at, chance.below(2), anyValue(chance));
    return root;
  }
  const names = Object.keys(place);
  if (names.length === 0 || chance.oneIn(4)) {
    place[chance.pick(ODD_TEXTS)] = anyValue(chance);
    return root;
  }
  const name = chance.pick(names);
  if (chance.oneIn(4)) delete place[name];
  else if (chance.oneIn(6)) place[`${name}${chance.pick(['s', '_', ' ', '\u0000'])}`] = place[name];
  else place[name] = anyValue(chance);
  return root;
}

function containersIn(root: unknown): Array<Record<string, unknown> | unknown[]> {
  const found: Array<Record<string, unknown> | unknown[]> = [];
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    found.push(value as Record<string, unknown>);
    for (const member of Object.values(value)) look(member);
  };
  look(root);
  return found;
}

/** Corrupted bytes: truncated, changed, repeated, inserted, or with a byte order mark or zeros in front. */
export function changedBytes(bytes: Uint8Array, chance: Chance): Buffer {
  const given = Buffer.from(bytes);
  const at = chance.below(given.length + 1);
  switch (chance.below(8)) {
    case 0:
      return given.subarray(0, at);
    case 1:
      return given.subarray(at);
    case 2:
      if (given.length > 0) given[Math.min(at, given.length - 1)] = chance.below(256);
      return given;
    case 3:
      return Buffer.concat([given.subarray(0, at), given.subarray(chance.below(given.length + 1))]);
    case 4:
      return Buffer.concat([given.subarray(0, at), Buffer.from(chance.pick(ODD_TEXTS)), given.subarray(at)]);
    case 5:
      return Buffer.concat([
        chance.pick([Buffer.from('\uFEFF'), Buffer.alloc(3), Buffer.from([0x1f, 0x8b, 8, 0])]),
        given,
      ]);
    case 6:
      return Buffer.from(given.toString('latin1'), 'utf16le');
    default:
      return Buffer.from(Array.from({ length: chance.below(200) }, () => chance.below(256)));
  }
}

/** The text of a JSON file with something wrong, mostly in its values, sometimes in its bytes. */
export function changedJson(value: unknown, chance: Chance): Buffer {
  if (chance.oneIn(3)) return changedBytes(Buffer.from(JSON.stringify(value, null, chance.below(3))), chance);
  const changed = JSON.stringify(changedValue(value, chance), null, chance.below(3)) ?? '';
  return chance.oneIn(10) ? changedBytes(Buffer.from(changed), chance) : Buffer.from(changed);
}
