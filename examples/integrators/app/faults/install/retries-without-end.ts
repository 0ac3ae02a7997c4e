// Breaks app.install.failure-not-hidden: installed is called again and again until the service agrees. When it agrees at once, it is called once.
import type { ExampleNote } from '../../../kit/example.ts';
import App, { type Answered } from '../../correct.ts';

/** So many that nobody waits for the last; an end there has to be, for our own sake. */
const MAX_TRIES = 1_000;
const PAUSE_MS = 50;

export const note: ExampleNote = {
  id: 'app.install.retries-without-end',
  clauses: ['app.install.failure-not-hidden'],
  about: 'installed is called again and again until the service agrees.',
};

export default class extends App {
  override async finish(authCode: string): Promise<Answered> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const answer = await super.finish(authCode);
      if (answer !== null) return answer;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref());
    }
    return null;
  }
}
