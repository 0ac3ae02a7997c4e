// Correct: The app uses every call of the interface that leaves it installed.
import type { ExampleNote } from '../../kit/example.ts';
import App from '../correct.ts';

export const note: ExampleNote = {
  id: 'app.variant.every-call',
  clauses: [],
  about: 'The app uses every call of the interface that leaves it installed.',
};

export default class extends App {
  override async setUp(authCode: string, language: string): Promise<void> {
    await super.setUp(authCode, language);
    for (const path of ['user', 'website', 'get_snippet', 'get_data'])
      await this.call('GET', `apps/${path}/`, authCode);
    const languages = (await this.call('GET', 'apps/languages/', authCode))?.languages;
    const [first] = Array.isArray(languages) ? languages : [];
    if (typeof first !== 'string') return;
    await this.call('POST', 'apps/set_snippet/', authCode, { snippet: '<p>Hello!</p>', language: first });
    await this.call('POST', 'apps/set_snippet/', authCode, { snippet: '<p>Hello, all!</p>', language: null });
    await this.call('GET', `apps/get_snippet/${encodeURIComponent(first)}/`, authCode);
    await this.call('POST', 'apps/set_data/', authCode, { data: 'a text' });
    await this.call('POST', 'apps/set_data/', authCode, { data: {} });
  }
}
