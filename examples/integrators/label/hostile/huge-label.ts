// Hostile: The label has 50 MB and is not a PDF.

import type { ExampleNote } from '../../kit/example.ts';
import { hugePage } from '../../kit/huge.ts';
import LabelPage from '../correct.ts';

export const note: ExampleNote = {
  id: 'label.hostile.huge-label',
  clauses: [],
  about: 'The label has 50 MB and is not a PDF.',
};

export default class extends LabelPage {
  override label(): Response {
    return hugePage();
  }
}
