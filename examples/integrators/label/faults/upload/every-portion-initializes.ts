// Breaks provider.calls.later-portions-continue: Each portion begins a list again. All other flags are right.
import type { ExampleNote } from '../../../kit/example.ts';
import Uploader, { type Point } from '../../upload.ts';

export const note: ExampleNote = {
  id: 'label.upload.every-portion-initializes',
  clauses: ['provider.calls.later-portions-continue'],
  about: 'Each portion begins a list again.',
};

export default class extends Uploader {
  override portions(points: readonly Point[]): object[] {
    return super.portions(points).map((portion) => ({ ...portion, is_initialization: true }));
  }
}
