// Hostile: The pages of the app have 50 MB.

import type { ExampleNote } from '../../kit/example.ts';
import { hugePage } from '../../kit/huge.ts';
import App from '../correct.ts';

export const note: ExampleNote = {
  id: 'app.hostile.huge-page',
  clauses: [],
  about: 'The pages of the app have 50 MB.',
};

export default class extends App {
  override finished(): Response {
    return hugePage();
  }

  override panel(): Response {
    return hugePage();
  }
}
