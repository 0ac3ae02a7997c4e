/** What both setup portals share: the form that a manifest is submitted with, its faults, the key, the state of approval. */
import type { ManifestFault } from '../../../contracts/manifests/index.ts';
import { parseSent } from '../../http/json.ts';
import { Refusal } from '../../http/refusal.ts';
import type { ApprovalStatus } from '../../state/state.ts';
import { type Html, html } from '../html.ts';
import { textArea } from '../layout/fields.ts';

/** A submitted manifest: what was typed, what it is, and what is wrong with it. */
export interface SubmittedManifest {
  readonly text: string;
  /** Null when it may not be taken: not JSON, or it breaks a rule of the contract. */
  readonly manifest: Record<string, unknown> | null;
  readonly faults: readonly ManifestFault[];
}

/** Reads and judges the text of a manifest. Advice (SHOULD) is shown and does not keep a manifest out. */
export function readManifest(text: string, judge: (value: unknown) => ManifestFault[]): SubmittedManifest {
  let value: unknown;
  try {
    value = parseSent(text);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const fault: ManifestFault = { rule: 'manifest.json', level: 'MUST', pointer: '', message: error.message };
    return { text, manifest: null, faults: [fault] };
  }
  const faults = judge(value);
  const wrong = faults.some(({ level }) => level === 'MUST');
  return { text, manifest: wrong ? null : (value as Record<string, unknown>), faults };
}

/** The sentence of a fault, with the names between backticks set apart. */
function sentence(message: string): Html[] {
  return message.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

export function faultRows(faults: readonly ManifestFault[]): Html {
  return html`<ul>${faults.map(({ pointer, message }) => html`<li><code>${pointer === '' ? '(whole manifest)' : pointer}</code> ${sentence(message)}</li>`)}</ul>`;
}

/** The faults of a manifest, those that keep it out first. */
export function faultList(submitted: SubmittedManifest): Html {
  const wrong = submitted.faults.filter(({ level }) => level === 'MUST');
  const advice = submitted.faults.filter(({ level }) => level !== 'MUST');
  return html`
${wrong.length > 0 && html`<section role="alert"><h2 class="bad">The manifest was not taken: ${wrong.length} ${wrong.length === 1 ? 'fault' : 'faults'}</h2>${faultRows(wrong)}</section>`}
${advice.length > 0 && html`<section class="note"><h2>Advice</h2>${faultRows(advice)}</section>`}`;
}

/** The form itself, with the text as it was typed. */
export function manifestForm(parts: { action: string; text: string; button: string; about?: string }): Html {
  return html`<form method="post" action="${parts.action}">
${textArea({ name: 'manifest', label: 'Manifest', hint: 'JSON', value: parts.text, rows: 24, required: true })}
${parts.about && html`<p class="soft">${parts.about}</p>`}
<button>${parts.button}</button></form>`;
}

const STATUS_TEXT: Record<ApprovalStatus, string> = {
  draft: 'draft',
  submitted: 'waits for approval',
  approved: 'approved, live',
  refused: 'refused',
};

export function statusBadge(status: ApprovalStatus): Html {
  const look = status === 'approved' ? 'good' : status === 'refused' ? 'bad' : '';
  return html`<span class="badge ${look}">${STATUS_TEXT[status]}</span>`;
}

/** The key, which is shown once: a button until then, a sentence afterwards. */
export function keySection(parts: { action: string; name: string; shown: boolean }): Html {
  return html`<section><h2>${parts.name}</h2>${
    parts.shown
      ? html`<p>The key was shown and can’t be shown again.</p>`
      : html`<p>The key is shown once. Prepare a safe place for it.</p>
<form method="post" action="${parts.action}"><button>Show the key once</button></form>`
  }</section>`;
}

/** The page after the button of `keySection`. */
export function keyBody(parts: { name: string; key: string; back: string }): Html {
  return html`<section><h2>${parts.name}</h2>
<p>Copy it now: it is shown only on this page.</p>
<pre id="key">${parts.key}</pre></section><p><a href="${parts.back}">Back to the integration</a></p>`;
}

/** Button that hands an integration to the operator, where that makes sense. */
export function approvalSection(parts: { action: string; status: ApprovalStatus; note: string }): Html {
  const open = parts.status === 'draft' || parts.status === 'refused';
  return html`<section><h2>Approval</h2><p>${statusBadge(parts.status)}</p><p>${parts.note}</p>${
    open &&
    html`<form method="post" action="${parts.action}"><button>${parts.status === 'refused' ? 'Re-submit for approval' : 'Submit for approval'}</button></form>`
  }</section>`;
}
