// Breaks provider.refusals.tampered: The weight is read as a number before it is signed. All other values count as they are.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.request.weight-as-number',
  clauses: ['provider.refusals.tampered'],
  about: 'The weight is read as a number before it is signed.',
};

export default class extends LabelPage {
  override accepts(fields: Fields): boolean {
    const read = (value: string): string => String(Number.parseInt(value, 10));
    return super.accepts(fields.map(([name, value]) => [name, name === 'weight' ? read(value) : value] as const));
  }
}
