// Breaks provider.label.https: The method is given a label address that is not https. The page under test is another one.
import type { ExampleNote } from '../../../kit/example.ts';
import Uploader from '../../upload.ts';

export const note: ExampleNote = {
  id: 'label.upload.label-address-http',
  clauses: ['provider.label.https'],
  about: 'The method is given a label address that is not https.',
};

export default class extends Uploader {
  override newMethod(): object {
    const { delivery_method: method } = super.newMethod() as { delivery_method: object };
    return { delivery_method: { ...method, print_label_url: 'http://labels.parcels.example/label' } };
  }
}
