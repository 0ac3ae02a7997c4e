// Breaks provider.calls.point-ids-unique: The list of a second country uses the ids of the first one. Both uploads are right.
import type { ExampleNote } from '../../../kit/example.ts';
import Uploader from '../../upload.ts';

export const note: ExampleNote = {
  id: 'label.upload.ids-of-another-country',
  clauses: ['provider.calls.point-ids-unique'],
  about: 'The list of a second country uses the ids of the first one.',
};

export default class extends Uploader {
  override async upload(): Promise<void> {
    await super.upload();
    const handle = await this.method();
    if (handle === null) return;
    const points = this.points().slice(0, 3);
    const [portion] = this.portions(points.map((point) => ({ ...point, country: 'EE' })));
    await this.uploadPortion(handle, { ...portion, country: 'EE' });
  }
}
