// Breaks delivery.calls.known-operations: The portions are uploaded to a path without the slash at its end. Their bodies are right.
import type { ExampleNote } from '../../../kit/example.ts';
import Uploader from '../../upload.ts';

export const note: ExampleNote = {
  id: 'label.upload.slash-left-out',
  clauses: ['delivery.calls.known-operations'],
  about: 'The portions are uploaded to a path without the slash at its end.',
};

export default class extends Uploader {
  override uploadPortion(handle: string, portion: object): Promise<unknown> {
    return this.call('POST', `store/delivery_method/${handle}/pickup_points/batch_replace`, portion);
  }
}
