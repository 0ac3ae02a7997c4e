/** Postal codes that a service may ask for, by the country of a point: a stand-in for a zip has to be one. */

/** `9` means any digit, `A` any capital letter. */
const FORMS: Readonly<Record<string, string>> = {
  AT: '9999',
  BE: '9999',
  DE: '99999',
  EE: '99999',
  ES: '99999',
  FI: '99999',
  FR: '99999',
  GB: 'AA9 9AA',
  IT: '99999',
  LT: '99999',
  LV: 'LV-9999',
  NO: '9999',
  PL: '99-999',
  SE: '99999',
};

/** Whether a text has the form of the postal codes of a country; `true` for a country whose form is not known here. */
export function isPostalCodeOf(country: unknown, text: string): boolean {
  const form = formOf(country);
  if (form === undefined) return true;
  const fits = (wanted: string, letter = ''): boolean =>
    wanted === '9' ? /\d/.test(letter) : wanted === 'A' ? /[A-Z]/.test(letter) : wanted === letter;
  return text.length === form.length && [...form].every((wanted, at) => fits(wanted, text[at]));
}

/** A postal code of a country that is made of a word of small letters; `undefined` for a country whose form is not known here. */
export function postalCodeOf(country: unknown, word: string): string | undefined {
  const numberAt = (at: number): number => word.charCodeAt(at % word.length) - 97;
  const signs = [...(formOf(country) ?? '')].map((sign, at) => {
    if (sign === '9') return String(numberAt(at) % 10);
    return sign === 'A' ? String.fromCharCode(65 + numberAt(at)) : sign;
  });
  return signs.length === 0 ? undefined : signs.join('');
}

const formOf = (country: unknown): string | undefined =>
  typeof country === 'string' ? FORMS[country.toUpperCase()] : undefined;
