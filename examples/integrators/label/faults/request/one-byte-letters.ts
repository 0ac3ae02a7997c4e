// Breaks provider.label.reports-back: The message is written in Latin-1, so that orders with other letters are refused. Orders in ASCII are printed.
import { createHmac } from 'node:crypto';
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.request.one-byte-letters',
  clauses: ['provider.label.reports-back'],
  about: 'The message is written in Latin-1, so that orders with other letters are refused.',
};

export default class extends LabelPage {
  override signature(message: string): string {
    return createHmac('sha256', this.settings.apiKey).update(message, 'latin1').digest('base64');
  }
}
