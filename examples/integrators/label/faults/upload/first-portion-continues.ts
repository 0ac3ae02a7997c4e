// Breaks provider.calls.first-portion-initializes: The first portion does not begin a list. All other flags are right.
import type { ExampleNote } from '../../../kit/example.ts';
import Uploader, { type Point } from '../../upload.ts';

export const note: ExampleNote = {
  id: 'label.upload.first-portion-continues',
  clauses: ['provider.calls.first-portion-initializes'],
  about: 'The first portion does not begin a list.',
};

export default class extends Uploader {
  override portions(points: readonly Point[]): object[] {
    return super.portions(points).map((portion, at) => (at === 0 ? { ...portion, is_initialization: false } : portion));
  }
}
