// Breaks provider.calls.known-operations: The points are uploaded to an operation that the interface does not have. What is sent is right.
import type { ExampleNote } from '../../../kit/example.ts';
import Uploader from '../../upload.ts';

export const note: ExampleNote = {
  id: 'label.upload.unknown-operation',
  clauses: ['provider.calls.known-operations'],
  about: 'The points are uploaded to an operation that the interface does not have.',
};

export default class extends Uploader {
  override uploadPortion(handle: string, portion: object): Promise<unknown> {
    return this.call('POST', `store/delivery_method/${handle}/pickup_points/replace_all/`, portion);
  }
}
