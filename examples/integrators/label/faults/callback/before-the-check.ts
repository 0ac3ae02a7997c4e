// Breaks provider.refusals.unsigned, provider.refusals.tampered, provider.refusals.other-key, provider.refusals.near-miss: Success is reported before the signature is checked; the page then shows a refusal. The check itself is right.

import type { ExampleNote } from '../../../kit/example.ts';
import { page } from '../../../kit/http.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.callback.before-the-check',
  clauses: [
    'provider.refusals.unsigned',
    'provider.refusals.tampered',
    'provider.refusals.other-key',
    'provider.refusals.near-miss',
  ],
  about: 'Success is reported before the signature is checked; the page then shows a refusal.',
};

export default class extends LabelPage {
  override async printLabel(fields: Fields): Promise<Response> {
    const order = Object.fromEntries(fields);
    const answer = await this.report(order, this.success(order, this.makeLabel(order, '')));
    await fetch(answer.headers.get('location') ?? '').catch(() => {});
    return this.accepts(fields) ? page('The label is printed', '') : this.refused();
  }
}
