// Breaks app.install.calls-installed: installed is never called. The app sets its data and shows its page.
import type { ExampleNote } from '../../../kit/example.ts';
import App, { type Answered } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.install.never-called',
  clauses: ['app.install.calls-installed'],
  about: 'installed is never called.',
};

export default class extends App {
  override async finish(): Promise<Answered> {
    return {};
  }
}
