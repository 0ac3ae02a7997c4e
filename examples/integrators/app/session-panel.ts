/** The page of an app that keeps the authCode of an installation in a cookie. */
import type App from './correct.ts';

/** Shows the stored data of the installation in the cookie; refused without one. */
export async function sessionPanel(correct: App, request: Request): Promise<Response> {
  const [, known] = /(?:^|; )installation=([^;]*)/.exec(request.headers.get('cookie') ?? '') ?? [];
  if (known === undefined) return correct.refused();
  const stored = await correct.call('GET', 'apps/get_data/', known);
  const { greeting = 'not set yet' } = (stored?.data ?? {}) as { greeting?: string };
  return correct.panel(new URL(request.url).searchParams, greeting);
}
