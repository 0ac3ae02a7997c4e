/** What an app does with its installation: it reads about the website, and sets data and snippets. */
import type { Answer, Json, RecordedClient } from './client.ts';

export interface Installation {
  readonly key: string;
  readonly authCode: string;
  readonly languages: readonly string[];
}

const DATA = [{ a: 1, b: { c: [] } }, 'text', { n: 1.5, t: true, z: null, e: {}, l: [] }, {}, '{"a":1}', '007'];
const SNIPPETS = ['<b>Hi</b>', '<script>var a = "&amp;";\n</script>', 'Čau 👋', ''];

/** The conversation of one installation. */
export async function useApps(client: RecordedClient, { key, authCode, languages }: Installation): Promise<void> {
  const send = (method: string, path: string, body?: Json): Promise<Answer> =>
    client.call(method, `/v1/apps/${path}?authCode=${encodeURIComponent(authCode)}`, {
      authorization: `ApiKey ${key}`,
      body,
    });
  await send('POST', 'installed/');
  for (const path of ['user/', 'website/', 'languages/']) await send('GET', path);
  for (const data of DATA) {
    await send('POST', 'set_data/', { data });
    await send('GET', 'get_data/');
  }
  for (const snippet of SNIPPETS) {
    await send('POST', 'set_snippet/', { snippet });
    await send('GET', 'get_snippet/');
  }
  for (const language of languages) {
    await send('POST', 'set_snippet/', { snippet: `<p>${language}</p>`, language });
    await send('GET', `get_snippet/${language}/`);
  }
  await send('GET', 'get_snippet/');
  await send('POST', 'set_snippet/', { snippet: '<u>all</u>' });
  await send('GET', 'get_snippet/');
  for (const language of languages) await send('GET', `get_snippet/${language}/`);
}
