// Hostile: The label page has 50 MB, and no callback.

import type { ExampleNote } from '../../kit/example.ts';
import { hugePage } from '../../kit/huge.ts';
import LabelPage from '../correct.ts';

export const note: ExampleNote = {
  id: 'label.hostile.huge-page',
  clauses: [],
  about: 'The label page has 50 MB, and no callback.',
};

export default class extends LabelPage {
  override async report(): Promise<Response> {
    return hugePage();
  }
}
