// Breaks provider.callback.tracking-signed: The tracking fields are signed in another order than they are sent. Id and address are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.callback.tracking-in-other-order',
  clauses: ['provider.callback.tracking-signed'],
  about: 'The tracking fields are signed in another order than they are sent.',
};

export default class extends LabelPage {
  override signed(parameters: Fields): Fields {
    const isTracking = ([name]: Fields[number]): boolean => name.startsWith('tracking_');
    const others = parameters.filter((field) => !isTracking(field));
    const message = this.message([...others, ...parameters.filter(isTracking).reverse()]);
    return [...parameters, ['signature', this.signature(message)]];
  }
}
