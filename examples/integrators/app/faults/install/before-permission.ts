// Breaks app.install.not-installed-early, app.calls.auth-code-in-query: installed is called on the first load already, when there is no authCode. It is called again in its time.
import type { ExampleNote } from '../../../kit/example.ts';
import App from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.install.before-permission',
  clauses: ['app.install.not-installed-early', 'app.calls.auth-code-in-query'],
  about: 'installed is called on the first load already, when there is no authCode.',
};

export default class extends App {
  override async firstLoad(query: URLSearchParams): Promise<Response> {
    await this.finish(query.get('authCode') ?? '');
    return super.firstLoad(query);
  }
}
