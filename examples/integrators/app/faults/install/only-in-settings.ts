// Breaks app.install.calls-installed: installed is called when the settings are opened, not when the installation ends. It is called with the right key and code.
import type { ExampleNote } from '../../../kit/example.ts';
import App, { type Answered } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'app.install.only-in-settings',
  clauses: ['app.install.calls-installed'],
  about: 'installed is called when the settings are opened, not when the installation ends.',
};

export default class extends App {
  override async finish(): Promise<Answered> {
    return {};
  }

  override async settingsLoad(query: URLSearchParams): Promise<Response> {
    if (this.accepts(query, 'settings')) await super.finish(query.get('authCode') ?? '');
    return super.settingsLoad(query);
  }
}
