// Breaks provider.calls.last-portion-finalizes: The last portion does not finish the list. All other flags are right.
import type { ExampleNote } from '../../../kit/example.ts';
import Uploader, { type Point } from '../../upload.ts';

export const note: ExampleNote = {
  id: 'label.upload.last-portion-open',
  clauses: ['provider.calls.last-portion-finalizes'],
  about: 'The last portion does not finish the list.',
};

export default class extends Uploader {
  override portions(points: readonly Point[]): object[] {
    return super
      .portions(points)
      .map((portion, at, { length }) => (at === length - 1 ? { ...portion, is_finalization: false } : portion));
  }
}
