// Correct: The software around the page uploads its pickup points in portions.
import type { ExampleNote } from '../../kit/example.ts';
import Uploader from '../upload.ts';

export const note: ExampleNote = {
  id: 'label.variant.uploads-points',
  clauses: [],
  about: 'The software around the page uploads its pickup points in portions.',
};

export default class extends Uploader {
  override portionSize(): number {
    return 80;
  }
}
