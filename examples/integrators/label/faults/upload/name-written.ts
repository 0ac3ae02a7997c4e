// Breaks provider.calls.name-not-sent: A new method is sent with the name, which is read-only. All other fields are right.
import type { ExampleNote } from '../../../kit/example.ts';
import Uploader from '../../upload.ts';

export const note: ExampleNote = {
  id: 'label.upload.name-written',
  clauses: ['provider.calls.name-not-sent'],
  about: 'A new method is sent with the name, which is read-only.',
};

export default class extends Uploader {
  override newMethod(): object {
    const { delivery_method: method } = super.newMethod() as { delivery_method: object };
    return { delivery_method: { ...method, name: 'Example lockers' } };
  }
}
