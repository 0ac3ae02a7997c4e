// Breaks provider.calls.list-sent: The points of a call are sent as an object by country instead of an array. Sizes and flags are right.
import type { ExampleNote } from '../../../kit/example.ts';
import Uploader, { type Point } from '../../upload.ts';

export const note: ExampleNote = {
  id: 'label.upload.list-under-its-country',
  clauses: ['provider.calls.list-sent'],
  about: 'The points of a call are sent as an object by country instead of an array.',
};

export default class extends Uploader {
  override portions(points: readonly Point[]): object[] {
    return super.portions(points).map((portion) => ({ ...portion, pickup_points: { LV: points.slice(0, 1) } }));
  }
}
