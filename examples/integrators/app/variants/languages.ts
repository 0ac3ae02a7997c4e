// Correct: Each language has pages of its own, and a greeting is stored for every language of the website.
import type { ExampleNote } from '../../kit/example.ts';
import { page, redirect } from '../../kit/http.ts';
import App from '../correct.ts';

export const note: ExampleNote = {
  id: 'app.variant.languages',
  clauses: [],
  about: 'Each language has pages of its own, and a greeting is stored for every language of the website.',
};

export default class extends App {
  override async answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === '/lv/welcome') return page('Sveiciens', '<p>Jūsu apmeklētāji tiks sveicināti.</p>');
    if (pathname === '/en/welcome') return page('Greeting', '<p>Your visitors are going to be greeted.</p>');
    return super.answer(request);
  }

  override async setUp(authCode: string): Promise<void> {
    const found = await this.call('GET', 'apps/languages/', authCode);
    const languages = Array.isArray(found?.languages) ? found.languages.map(String) : [];
    await this.call('POST', 'apps/set_snippet/', authCode, { snippet: '<p>Hello!</p>', language: null });
    for (const language of languages) {
      await this.call('POST', 'apps/set_snippet/', authCode, { snippet: `<p lang="${language}">Hello!</p>`, language });
      await this.call('GET', `apps/get_snippet/${language}/`, authCode);
    }
  }

  override finished(query: URLSearchParams): Response {
    return redirect(`${this.settings.origin}/${query.get('language') === 'lv' ? 'lv' : 'en'}/welcome`);
  }

  override panel(query: URLSearchParams): Response {
    const isLatvian = query.get('language') === 'lv';
    return page(
      isLatvian ? 'Iestatījumi' : 'Settings',
      isLatvian ? '<p>Sveiciens: Sveiki!</p>' : '<p>Greeting: Hello!</p>',
    );
  }
}
