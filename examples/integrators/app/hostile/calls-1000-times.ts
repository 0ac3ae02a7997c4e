// Hostile: installed is called 1,000 times in an installation.
import type { ExampleNote } from '../../kit/example.ts';
import App, { type Answered } from '../correct.ts';

export const note: ExampleNote = {
  id: 'app.hostile.calls-1000-times',
  clauses: [],
  about: 'installed is called 1,000 times in an installation.',
};

export default class extends App {
  override async finish(authCode: string): Promise<Answered> {
    const first = await super.finish(authCode);
    for (let times = 1; times < 1_000; times += 1) await super.finish(authCode);
    return first;
  }
}
