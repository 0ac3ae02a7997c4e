/** Fills the form of a button with values that its fields accept. */
import type { Found } from './find-button.ts';

/** Values by the type of a field, likeliest first. */
export interface PlausibleValues {
  readonly byType: Readonly<Record<string, readonly string[]>>;
  /** For fields of any type. */
  readonly texts: readonly string[];
  /** A pattern may want the number of a phone. */
  readonly last: readonly string[];
}

export function plausibleValues(): PlausibleValues {
  const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString();
  const date = tomorrow.slice(0, 10);
  const phones = ['+37120000000', '20000000'];
  return {
    byType: {
      email: ['label@example.com'],
      tel: phones,
      url: ['https://example.com/'],
      date: [date],
      time: ['10:00'],
      'datetime-local': [`${date}T10:00`],
      month: [tomorrow.slice(0, 7)],
      week: [`${tomorrow.slice(0, 4)}-W20`],
      password: ['Precheck-1'],
    },
    texts: [
      ...['Precheck', '1', '12', '123', '1234', '12345'],
      ...['LV-1010', 'ABC123', 'A', 'AB', 'ABC', '10:00', date],
    ],
    last: phones,
  };
}

/**
 * In the page: fills the required fields that are empty, or all of them, makes the open choices, and returns the name of a field that
 * accepts none of the values; '' if there is none. No function in it may have a name, as in `shownButtons`.
 */
export function fillFields(
  { button, trees }: Found,
  { fillsAll, plausible }: { fillsAll: boolean; plausible: PlausibleValues },
): string {
  const fields = button?.form?.elements ?? trees.flatMap((tree) => [...tree.querySelectorAll('input,select,textarea')]);
  let wrong = '';
  for (const field of fields) {
    if (
      !(field instanceof HTMLInputElement || field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement)
    )
      continue;
    const isTick = field instanceof HTMLInputElement && field.type === 'checkbox';
    const isEmpty = fillsAll && (isTick ? !field.checked : field.value === '');
    // A person chooses, also where no field but only the server requires it.
    const isOpenChoice =
      field.type === 'radio' &&
      field.name !== '' &&
      [field, ...(field.labels ?? [])].some((one) => one.getClientRects().length > 0) &&
      ![...fields].some(
        (one) => one instanceof HTMLInputElement && one.type === 'radio' && one.name === field.name && one.checked,
      );
    if (field.disabled || !field.willValidate || (field.checkValidity() && !isEmpty && !isOpenChoice)) continue;
    if (field instanceof HTMLSelectElement) {
      const option = [...field.options].find((one) => one.value !== '' && !one.disabled);
      if (option !== undefined) field.value = option.value;
    } else if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')) {
      field.click();
    } else {
      const type = field instanceof HTMLTextAreaElement ? 'textarea' : field.type;
      const least = field instanceof HTMLInputElement ? field.min : '';
      const suggested = field instanceof HTMLInputElement ? [...(field.list?.options ?? [])] : [];
      const values = [
        ...suggested.map((option) => option.value),
        ...(type === 'number' ? ['1', least, field instanceof HTMLInputElement ? field.max : ''] : []),
        ...(plausible.byType[type] ?? []),
        ...(least === '' ? [] : [least]),
        ...plausible.texts,
        'Precheck'.padEnd(Math.max(0, field.minLength), '1'),
        '1'.repeat(Math.max(1, field.minLength)),
        // A pattern may want what the field shows as an example.
        ...('placeholder' in field ? [field.placeholder] : []),
        ...plausible.last,
      ];
      const owner = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
      for (const value of values) {
        // A script could set more than a person can type, and can't set a file.
        if (value === '' || type === 'file' || (field.maxLength >= 0 && value.length > field.maxLength)) continue;
        // As frameworks see what is typed: through the setter of the element itself.
        Object.getOwnPropertyDescriptor(owner, 'value')?.set?.call(field, value);
        if (field.checkValidity()) break;
      }
    }
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }));
    if (!field.checkValidity()) wrong ||= field.name || field.id || field.tagName.toLowerCase();
  }
  return wrong;
}
