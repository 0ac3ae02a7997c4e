// Breaks provider.calls.field-types: Postal codes are sent as numbers. All other fields are right.
import type { ExampleNote } from '../../../kit/example.ts';
import Uploader, { type Point } from '../../upload.ts';

export const note: ExampleNote = {
  id: 'label.upload.zip-as-number',
  clauses: ['provider.calls.field-types'],
  about: 'Postal codes are sent as numbers.',
};

export default class extends Uploader {
  override points(): Point[] {
    return super.points().map((point) => ({ ...point, zip: 1010 }));
  }
}
