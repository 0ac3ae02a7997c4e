// Breaks provider.calls.authorization-header: The values of the settings form are asked for with the key after the word Bearer. Label pages need no call.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.calls.bearer',
  clauses: ['provider.calls.authorization-header'],
  about: 'The values of the settings form are asked for with the key after the word Bearer.',
};

export default class extends LabelPage {
  override authorization(): string {
    return `Bearer ${this.settings.apiKey}`;
  }
}
