// Hostile: The label page takes requests and never answers.
import type { ExampleNote } from '../../kit/example.ts';
import LabelPage from '../correct.ts';

export const note: ExampleNote = {
  id: 'label.hostile.never-answers',
  clauses: [],
  about: 'The label page takes requests and never answers.',
};

export default class extends LabelPage {
  override printLabel(): Promise<Response> {
    return new Promise(() => {});
  }

  override checkout(): Promise<Response> {
    return new Promise(() => {});
  }
}
