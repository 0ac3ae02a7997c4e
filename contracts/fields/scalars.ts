/**
 * Formats of single values. Each function takes any JSON value and says whether it is a text of that format; what the contract
 * leaves open (letter case, order, spacing) is accepted in every form.
 */

/**
 * `YYYY-MM-DD HH:MM:SS` with a date and time that exist (spec: "Reseller website record").
 *
 * @example isTimestamp('2024-02-29 23:59:59') // true
 * @example isTimestamp('2016-12-31 23:59:60') // true: seconds may be 60
 * @example isTimestamp('2023-02-29 10:00:00') // false: no such day
 */
export function isTimestamp(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const match = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/.exec(value);
  if (!match) return false;
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (year < 1 || month < 1 || month > 12 || hour > 23 || minute > 59 || second > 60) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]!;
  return day >= 1 && day <= days;
}

/**
 * A country code of two letters. `letterCase` is `lower` where the contract fixes it (reseller records and settings,
 * `shipping_country_code`), else `any`.
 *
 * @example isCountryCode('lv', 'lower') // true
 * @example isCountryCode('LV', 'lower') // false
 */
export function isCountryCode(value: unknown, letterCase: 'lower' | 'upper' | 'any' = 'any'): value is string {
  const shape = { lower: /^[a-z]{2}$/, upper: /^[A-Z]{2}$/, any: /^[A-Za-z]{2}$/ }[letterCase];
  return typeof value === 'string' && shape.test(value);
}

/** A currency code of three letters (spec: "Label request"); letter case is not fixed. */
export function isCurrencyCode(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z]{3}$/.test(value);
}

/**
 * A decimal number as text (spec: "Label request", `amount`): digits, and a point before the fraction.
 *
 * @example isDecimalText('12.50') // true
 * @example isDecimalText('12,50') // false
 */
export function isDecimalText(value: unknown): value is string {
  return typeof value === 'string' && /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(value);
}

/**
 * Currency code and amount (spec: "Reseller balance"), in either order, with or without space, sign and group separators. In
 * accounts, parentheses stand for a minus.
 *
 * @example ['EUR 10.00', '10.00 EUR', 'EUR10', '-3 usd', '1,234.50 EUR'].every(isMoneyText) // true
 * @example ['(EUR 10.00)', 'EUR (10.00)'].every(isMoneyText) // true
 * @example isMoneyText('10.00') // false: no currency
 */
export function isMoneyText(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const code = '[A-Za-z]{3}';
  const digits = "\\d+(?:[.,'\\s]\\d+)*";
  const amount = `(?:[+-]?\\s?${digits}|\\(${digits}\\))`;
  const text = value.trim().replace('\u2212', '-');
  const inside = /^\(([^()]*)\)$/.exec(text)?.[1] ?? text;
  return new RegExp(`^(?:[+-]?${code}\\s*${amount}|${amount}\\s*${code})$`, 'u').test(inside);
}

/**
 * A code that looks like a language: two or three letters, then parts for script, region or variant, as browsers and as systems with
 * locales write them. A part of one letter announces others.
 *
 * @example ['en', 'lv', 'pt-BR', 'zh_Hant', 'de-x-formal', 'sr_RS@latin'].every(isLanguageCode) // true
 * @example isLanguageCode('english') // false
 */
export function isLanguageCode(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z]{2,3}(?:[-_@][A-Za-z0-9]{1,8})*$/.test(value);
}

/** A language code of exactly two letters (spec: "Label request", `language_code`). */
export function isTwoLetterLanguageCode(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z]{2}$/.test(value);
}

/** A whole number of grams as text (spec: "Label request", `weight`); zero is one. */
export function isWholeGrams(value: unknown): value is string {
  return typeof value === 'string' && /^\d+$/.test(value);
}

/** The version of an app manifest: three numbers between dots (spec: "App manifest", `app_version`). */
export function isAppVersion(value: unknown): value is string {
  return typeof value === 'string' && /^\d+\.\d+\.\d+$/.test(value);
}
