// Breaks provider.refusals.other-key: A signature under the key in another case is taken, too. All other keys are refused.
import { createHmac } from 'node:crypto';
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.request.key-in-any-case',
  clauses: ['provider.refusals.other-key'],
  about: 'A signature under the key in another case is taken, too.',
};

export default class extends LabelPage {
  override accepts(fields: Fields): boolean {
    const received = fields.find(([name]) => name === 'signature')?.[1] ?? '';
    const keys = [this.settings.apiKey, this.settings.apiKey.toUpperCase(), this.settings.apiKey.toLowerCase()];
    return keys.some((key) =>
      this.matches(received, createHmac('sha256', key).update(this.message(fields)).digest('base64')),
    );
  }
}
