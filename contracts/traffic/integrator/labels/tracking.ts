/** What is wrong with the tracking fields of a callback, as far as it can be said of one alone. */
import type { Fields } from '../../../signing/index.ts';

export const TRACKING: readonly string[] = ['tracking_code', 'tracking_url'];

/** What languages write in place of a text that is not there. */
export const NO_VALUE = /^(?:undefined|null|None|NaN|Array|\[object \w+\])$/;

/** What templates of addresses have for a value: a name in braces or signs of their own. Ids in braces contain digits. */
const UNFILLED = /\{\{?\s?[A-Za-z_]+\s?\}|%s|<[A-Za-z_]+>|\/:[A-Za-z_]+/;

/** Other names for a tracking field: no service looks for them. */
const MISNAMED = /^tracking[_-]?(?:code|number|no|nr|num|id|(url|uri|link))$/i;

export const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:\/\/[^/]/i.test(text);

export const isTracking = ([name, value]: Fields[number]): boolean => TRACKING.includes(name) && value !== '';

/** Parameters that are tracking fields by another name, and are not sent by the right one as well. */
export function misnamed(pairs: Fields): string[] {
  const has = (name: string): boolean => pairs.some((pair) => pair[0] === name && isTracking(pair));
  return pairs.flatMap(([name, value]) => {
    const found = MISNAMED.exec(name);
    if (found === null || value === '' || TRACKING.includes(name)) return [];
    return has(found[1] === undefined ? 'tracking_code' : 'tracking_url') ? [] : [name];
  });
}

/** What is wrong with the tracking fields, as the end of a sentence about their callback. */
export function trackingFault(pairs: Fields): string | undefined {
  const sent = pairs.filter(isTracking);
  const empty = sent.find(([name, value]) => NO_VALUE.test(value) || (name === 'tracking_url' && hasNoValue(value)));
  if (empty !== undefined) return `has the ${empty[0]} ${empty[1]}, which a program made of no value`;
  const unfilled = sent.find(([, value]) => UNFILLED.test(value));
  if (unfilled !== undefined) return `has the ${unfilled[0]} ${unfilled[1]}, whose placeholder has no value`;
  const isOpened = sent.every(([name, value]) => name !== 'tracking_url' || isWebAddress(value));
  if (!isOpened) return 'has a tracking_url that is not a full web address: no browser can open it';
  const [wrong] = misnamed(pairs);
  return wrong === undefined
    ? undefined
    : `sends ${wrong}, which the interface does not know: it is tracking_code or tracking_url`;
}

/** Whether a part of an address is what a program writes for no value. */
function hasNoValue(address: string): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  return [...url.pathname.split('/'), ...url.searchParams.values()].some((part) => NO_VALUE.test(part));
}

/** The tracking fields of one order. */
export interface Tracked {
  readonly name: string;
  /** The `order_uuid`: several prints of one order may have one code. */
  readonly order: string | undefined;
  readonly pairs: Fields;
}

/** Codes without a digit are words, and short ones are no codes. */
const CODE = /^(?=.*\d).{4,}$/;
/** What a test account of a carrier gives for every order. */
const SAMPLE = /test|sample|demo|example|dummy|muster|0{5}|12345/i;

export interface SharedTracking {
  readonly one: string;
  readonly other: string;
  readonly value: string;
  /** As the end of a sentence about both orders. */
  readonly fault: string;
  /** Every order has it, as it may be in a test. */
  readonly isOfAll: boolean;
}

/** Two orders that share what only one of them can have: a code, or an address that lacks its code. */
export function sharedTracking(all: readonly Tracked[]): SharedTracking | undefined {
  const fieldIn = ({ pairs }: Tracked, name: string): string => pairs.find(([other]) => other === name)?.[1] ?? '';
  const shared = (name: string, isCode: (value: string, one: Tracked) => boolean) => {
    const first = new Map<string, Tracked>();
    let found: { one: Tracked; other: Tracked; value: string } | undefined;
    for (const one of all) {
      const value = fieldIn(one, name);
      if (!isCode(value, one)) continue;
      const other = first.get(value);
      if (other === undefined) first.set(value, one);
      else if (other.order !== one.order) found ??= { one: other, other: one, value };
    }
    return found && { one: found.one.name, other: found.other.name, value: found.value, isOfAll: first.size === 1 };
  };
  const code = shared('tracking_code', (value) => CODE.test(value) && !SAMPLE.test(value));
  if (code !== undefined)
    return {
      ...code,
      fault: `have one tracking_code, ${code.value}: the buyer of one of them follows the parcel of the other`,
    };
  const address = shared(
    'tracking_url',
    (value, one) =>
      hasEmptyParameter(value) &&
      !(fieldIn(one, 'tracking_code') !== '' && value.includes(fieldIn(one, 'tracking_code'))),
  );
  if (address === undefined) return misledTracking(all);
  return { ...address, isOfAll: false, fault: `have one tracking_url, whose parameter has no value: ${address.value}` };
}

/** Shorter codes are in longer words by chance. */
const MIN_CODE_CHARACTERS = 8;

/** An order whose address has the code of another order in it, and not its own. */
function misledTracking(all: readonly Tracked[]): SharedTracking | undefined {
  const fieldIn = ({ pairs }: Tracked, name: string): string => pairs.find(([other]) => other === name)?.[1] ?? '';
  const codes = all.filter((one) => {
    const code = fieldIn(one, 'tracking_code');
    return code.length >= MIN_CODE_CHARACTERS && CODE.test(code) && !SAMPLE.test(code);
  });
  for (const one of codes) {
    const value = fieldIn(one, 'tracking_url');
    const hasOwn = value.includes(fieldIn(one, 'tracking_code'));
    const other = codes.find(
      (another) => another.order !== one.order && value.includes(fieldIn(another, 'tracking_code')),
    );
    if (!hasOwn && other !== undefined)
      return {
        one: one.name,
        other: other.name,
        value,
        fault: `have one tracking_code in their addresses, that of the latter: ${value}`,
        isOfAll: false,
      };
  }
  return undefined;
}

/** Whether an address has a parameter without a value. */
const hasEmptyParameter = (address: string): boolean =>
  [...(URL.parse(address)?.searchParams.values() ?? [])].includes('') && !/^[^?]*\?[^=]*$/.test(address);
