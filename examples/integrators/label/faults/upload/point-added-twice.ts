// Breaks provider.calls.point-ids-unique: A point is added under an id that the method has already. The upload is right.
import type { ExampleNote } from '../../../kit/example.ts';
import Uploader from '../../upload.ts';

export const note: ExampleNote = {
  id: 'label.upload.point-added-twice',
  clauses: ['provider.calls.point-ids-unique'],
  about: 'A point is added under an id that the method has already.',
};

export default class extends Uploader {
  override async upload(): Promise<void> {
    await super.upload();
    const handle = await this.method();
    await this.call('POST', `store/delivery_method/${handle}/pickup_point/`, { pickup_point: this.points()[0] });
  }
}
