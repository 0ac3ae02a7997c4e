// Breaks provider.calls.ids-unique: Two points of the uploaded list have one id. All others have ids of their own.
import type { ExampleNote } from '../../../kit/example.ts';
import Uploader, { type Point } from '../../upload.ts';

export const note: ExampleNote = {
  id: 'label.upload.repeated-id',
  clauses: ['provider.calls.ids-unique'],
  about: 'Two points of the uploaded list have one id.',
};

export default class extends Uploader {
  override points(): Point[] {
    const [first, ...rest] = super.points();
    return [first!, ...rest.slice(0, -1), { ...rest.at(-1)!, id: first!.id }];
  }
}
