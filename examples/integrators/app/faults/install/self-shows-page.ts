// Breaks app.install.self-returns: With tab mode self the app shows its own page at the end instead of returning. The installation is finished.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.install.self-shows-page',
  clauses: ['app.install.self-returns'],
  about: 'With tab mode self the app shows its own page at the end instead of returning.',
  tabMode: 'self',
};

export default class extends App {
  override async secondLoad(query: URLSearchParams, authCode: string): Promise<Response> {
    const answer = await super.secondLoad(query, authCode);
    return answer.status === 303 ? this.finished(query) : answer;
  }
}
