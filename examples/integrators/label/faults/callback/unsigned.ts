// Breaks provider.callback.signed: The success callback carries no signature. Its other parameters are right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.callback.unsigned',
  clauses: ['provider.callback.signed'],
  about: 'The success callback carries no signature.',
};

export default class extends LabelPage {
  override signed(parameters: Fields): Fields {
    return parameters;
  }
}
