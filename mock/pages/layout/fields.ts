/** Labelled inputs and buttons, so that every control has an accessible name. */
import { type Html, html, raw } from '../html.ts';

export interface FieldParts {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly hint?: string;
  readonly type?: 'text' | 'password' | 'email' | 'url';
  readonly required?: boolean;
  /** Distinguishes fields of the same name when a page has several forms. */
  readonly form?: string;
}

const idOf = (parts: { name: string; form?: string }): string => `${parts.form ?? 'field'}-${parts.name}`;
const flag = (name: string, on: boolean | undefined): Html => raw(on ? ` ${name}` : '');
const label = (id: string, text: string, hint: string | undefined): Html =>
  html`<label for="${id}">${text}${hint && html` <small>${hint}</small>`}</label>`;

export function textField(parts: FieldParts): Html {
  const id = idOf(parts);
  return html`${label(id, parts.label, parts.hint)}
<input id="${id}" name="${parts.name}" type="${parts.type ?? 'text'}" value="${parts.value ?? ''}" autocomplete="off"${flag('required', parts.required)}>
`;
}

export function textArea(parts: FieldParts & { readonly rows: number }): Html {
  const id = idOf(parts);
  // A parser drops the first line break of a textarea, so an extra one is added.
  return html`${label(id, parts.label, parts.hint)}
<textarea id="${id}" name="${parts.name}" rows="${parts.rows}" spellcheck="false"${flag('required', parts.required)}>
${parts.value ?? ''}</textarea>
`;
}

export interface Choice {
  readonly value: string;
  readonly text: string;
}

export function selectField(parts: FieldParts & { readonly choices: readonly Choice[] }): Html {
  const id = idOf(parts);
  const options = parts.choices.map(
    ({ value, text }) => html`<option value="${value}"${flag('selected', value === parts.value)}>${text}</option>`,
  );
  return html`${label(id, parts.label, parts.hint)}
<select id="${id}" name="${parts.name}">${options}</select>
`;
}

export function checkbox(parts: FieldParts & { readonly checked?: boolean }): Html {
  const hint = parts.hint && html` <small>${parts.hint}</small>`;
  return html`<label class="check"><input type="checkbox" name="${parts.name}" value="${parts.value ?? '1'}"${flag('checked', parts.checked)}><span>${parts.label}${hint}</span></label>
`;
}

/** A set of radio buttons under one legend. */
export function radios(
  parts: FieldParts & { readonly choices: readonly (Choice & { readonly about?: string })[] },
): Html {
  const items = parts.choices.map(
    ({ value, text, about }) =>
      html`<label class="check"><input type="radio" name="${parts.name}" value="${value}"${flag('checked', value === parts.value)}${flag('required', parts.required)}><span>${text}${about && html` <small>${about}</small>`}</span></label>`,
  );
  return html`<fieldset><legend>${parts.label}</legend>${items}</fieldset>`;
}

/** One button that is a form of its own. `name` distinguishes it from similar ones: "Uninstall Parcel helper". */
export function buttonForm(parts: {
  readonly action: string;
  readonly text: string;
  readonly name?: string;
  readonly fields?: Html | undefined;
  readonly look?: 'plain' | 'danger';
  readonly newTab?: boolean;
}): Html {
  const named = parts.name === undefined ? '' : html` aria-label="${parts.name}"`;
  return html`<form class="inline" method="post" action="${parts.action}"${raw(parts.newTab ? ' target="_blank"' : '')}>${parts.fields}<button class="${parts.look ?? ''}"${named}>${parts.text}</button></form>`;
}
