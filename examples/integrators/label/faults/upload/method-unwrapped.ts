// Breaks provider.calls.wrapped-bodies: The fields of a new method are sent without delivery_method around them. The fields are right.
import type { ExampleNote } from '../../../kit/example.ts';
import Uploader from '../../upload.ts';

export const note: ExampleNote = {
  id: 'label.upload.method-unwrapped',
  clauses: ['provider.calls.wrapped-bodies'],
  about: 'The fields of a new method are sent without delivery_method around them.',
};

export default class extends Uploader {
  override newMethod(): object {
    return (super.newMethod() as { delivery_method: object }).delivery_method;
  }
}
