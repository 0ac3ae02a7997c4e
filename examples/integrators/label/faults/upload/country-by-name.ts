// Breaks provider.calls.country-codes: Countries are sent by name. All other fields are right.
import type { ExampleNote } from '../../../kit/example.ts';
import Uploader, { type Point } from '../../upload.ts';

export const note: ExampleNote = {
  id: 'label.upload.country-by-name',
  clauses: ['provider.calls.country-codes'],
  about: 'Countries are sent by name.',
};

export default class extends Uploader {
  override points(): Point[] {
    return super.points().map((point) => ({ ...point, country: 'Latvia' }));
  }
}
