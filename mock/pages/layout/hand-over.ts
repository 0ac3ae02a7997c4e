/**
 * The page that sends the browser to an integrator: a form with the signed fields that submits itself, or after one click
 * if scripts are disabled. It is the response to a click, so that each click makes a new request.
 */
import type { Context } from 'hono';
import { isWebAddress } from '../../http/addresses.ts';
import type { SignedForm } from '../../orders/labels.ts';
import { hiddenInputs, html, raw } from '../html.ts';
import { PageError, page } from './shell.ts';
import { HAND_OVER_SCRIPT } from './style.ts';

/** Answers with the self-posting form. Refuses an address that a form must not post to. */
export function handOver(
  c: Context,
  parts: { readonly title: string; readonly form: SignedForm; readonly note: 'label' | 'checkout' },
): Response {
  const { action, fields } = parts.form;
  if (!isWebAddress(action)) throw new PageError(409, 'The address of the provider’s page is not a web address.');
  return page(c, {
    title: parts.title,
    body: html`<section>
<p>The browser now continues to <strong>${new URL(action).host}</strong>.</p>
<form method="post" action="${action}" accept-charset="utf-8">
${hiddenInputs(fields)}<button>Continue to the provider</button></form></section>
<section><details><summary>What is sent</summary>
${
  parts.note === 'checkout'
    ? html`<p>The contract fixes only that the request is a signed POST: every field beside <code>signature</code> is our choice.</p>`
    : null
}
<div class="scroll"><table><thead><tr><th scope="col">Field</th><th scope="col">Value</th></tr></thead><tbody>
${fields.map(([name, value]) => html`<tr><th scope="row">${name}${parts.note === 'checkout' && name !== 'signature' && html` <small>our choice</small>`}</th><td>${value}</td></tr>`)}
</tbody></table></div></details></section>
<script>${raw(HAND_OVER_SCRIPT)}</script>`,
  });
}
