// Breaks provider.calls.languages: Texts are sent in a language that no website has. All other fields are right.
import type { ExampleNote } from '../../../kit/example.ts';
import Uploader, { type Point } from '../../upload.ts';

export const note: ExampleNote = {
  id: 'label.upload.unknown-language',
  clauses: ['provider.calls.languages'],
  about: 'Texts are sent in a language that no website has.',
};

export default class extends Uploader {
  override points(): Point[] {
    return super.points().map((point) => ({ ...point, title: { en: point.id, tlh: 'jI' } }));
  }
}
