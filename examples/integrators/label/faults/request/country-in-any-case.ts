// Breaks provider.refusals.tampered: Country codes are written in lower case before they are signed. All other values count as they are.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.request.country-in-any-case',
  clauses: ['provider.refusals.tampered'],
  about: 'Country codes are written in lower case before they are signed.',
};

export default class extends LabelPage {
  override accepts(fields: Fields): boolean {
    const isCode = (name: string): boolean => name.endsWith('_country_code');
    return super.accepts(fields.map(([name, value]) => [name, isCode(name) ? value.toLowerCase() : value] as const));
  }
}
