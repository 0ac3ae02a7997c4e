/** What the panel of a reseller does: it manages one website, the settings and the password. */
import { isJsonObject } from '../../contracts/json/object.ts';
import type { Answer, Json, RecordedClient } from './client.ts';

export interface Reseller {
  readonly email: string;
  readonly password: string;
  readonly website: number;
}

const NEW_PASSWORD = 'Passw0rdNew1';

/** The conversation, by forms. */
export async function useReseller(client: RecordedClient, { email, password, website }: Reseller): Promise<void> {
  const send = (path: string, form: Record<string, string>): Promise<Answer> =>
    client.call('POST', `/api/${path}`, { form });
  let apiToken = '';
  /** Without a token the client ends. */
  const signIn = async (own: string): Promise<boolean> => {
    const { body } = await send('authorize/', { email, password: own });
    apiToken = typeof body.apiToken === 'string' ? body.apiToken : '';
    return apiToken !== '';
  };
  if (!(await signIn(password))) return;
  const call = (path: string, form: Record<string, string> = {}): Promise<Answer> => send(path, { apiToken, ...form });
  const of = (path: string): Promise<Answer> => call(`website/${website}/${path}`);

  for (const path of ['websites/', 'balance/', 'settings/']) await call(path);
  for (const [begin, end] of [
    ['disable/', 'enable/'],
    ['enable_premium/premium/', 'disable_premium/'],
    ['enable_premium/premiumplus/', 'disable_premium/'],
  ] as const) {
    for (const path of [begin, end]) {
      await of(path);
      await call('websites/');
      await call('balance/');
    }
  }
  await of('login/');
  await useDomains({ call, website });
  for (const company of ['Web Resellers SIA new', 'Web Resellers SIA']) {
    await call('settings/set/', { company });
    await call('settings/');
  }
  await call('password/', { password: NEW_PASSWORD });
  if (!(await signIn(NEW_PASSWORD))) return;
  await call('balance/');
  await call('password/', { password });
  if (!(await signIn(password))) return;
  await call('websites/');
  await call('authorize/logout/');
}

interface DomainCalls {
  readonly call: (path: string, form?: Record<string, string>) => Promise<Answer>;
  readonly website: number;
}

/** Attaches two domains, and removes them by their ids. */
async function useDomains({ call, website }: DomainCalls): Promise<void> {
  const list = async (): Promise<Json[]> => {
    const { domains } = (await call(`website/${website}/domains/`)).body;
    return Array.isArray(domains) ? domains.filter(isJsonObject) : [];
  };
  await list();
  for (const domain of ['shop-one.example', 'shop-two.example']) {
    await call(`website/${website}/domain/add/`, { domain });
    await list();
  }
  for (const { domain, domainID } of await list()) {
    if (typeof domainID !== 'number' || !String(domain).startsWith('shop-')) continue;
    await call(`website/${website}/domain/${domainID}/remove/`);
    await list();
  }
}
