// Breaks provider.calls.portion-size: 150 points are uploaded in a call. The flags of the portions are right.
import type { ExampleNote } from '../../../kit/example.ts';
import Uploader from '../../upload.ts';

export const note: ExampleNote = {
  id: 'label.upload.portions-of-150',
  clauses: ['provider.calls.portion-size'],
  about: '150 points are uploaded in a call.',
};

export default class extends Uploader {
  override portionSize(): number {
    return 150;
  }
}
