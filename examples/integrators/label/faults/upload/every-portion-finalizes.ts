// Breaks provider.calls.earlier-portions-open: Each portion finishes the list. All other flags are right.
import type { ExampleNote } from '../../../kit/example.ts';
import Uploader, { type Point } from '../../upload.ts';

export const note: ExampleNote = {
  id: 'label.upload.every-portion-finalizes',
  clauses: ['provider.calls.earlier-portions-open'],
  about: 'Each portion finishes the list.',
};

export default class extends Uploader {
  override portions(points: readonly Point[]): object[] {
    return super.portions(points).map((portion) => ({ ...portion, is_finalization: true }));
  }
}
