// Hostile: The page reports each label 1,000 times.
import type { ExampleNote } from '../../kit/example.ts';
import LabelPage, { type Fields, type Order } from '../correct.ts';

export const note: ExampleNote = {
  id: 'label.hostile.calls-back-1000-times',
  clauses: [],
  about: 'The page reports each label 1,000 times.',
};

export default class extends LabelPage {
  override async report(order: Order, parameters: Fields): Promise<Response> {
    const address = this.callback(order, parameters);
    for (let times = 1; times < 1_000; times += 1)
      await fetch(address).then(
        (answer) => answer.arrayBuffer(),
        () => {},
      );
    return super.report(order, parameters);
  }
}
