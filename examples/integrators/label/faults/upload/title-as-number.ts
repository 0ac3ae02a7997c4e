// Breaks provider.calls.texts: A text in languages holds a number. All other fields are right.
import type { ExampleNote } from '../../../kit/example.ts';
import Uploader, { type Point } from '../../upload.ts';

export const note: ExampleNote = {
  id: 'label.upload.title-as-number',
  clauses: ['provider.calls.texts'],
  about: 'A text in languages holds a number.',
};

export default class extends Uploader {
  override points(): Point[] {
    return super.points().map((point) => ({ ...point, title: { en: point.id, lv: 7 } }));
  }
}
