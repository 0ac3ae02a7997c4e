/** A minimal HTTP client for tests of the pages: keeps cookies, and follows redirects only on request. */
import type { RunningServer } from '../http/serve.ts';

export interface VisitedPage {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly location: string | null;
}

export class Visitor {
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();
  /** Every Set-Cookie that was received. */
  readonly setCookies: string[] = [];

  constructor(served: RunningServer) {
    this.#origin = served.origin;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<VisitedPage> {
    return this.send(path, { headers });
  }

  /** Posts a form as a browser does. */
  post(path: string, fields: Readonly<Record<string, string>> = {}): Promise<VisitedPage> {
    return this.send(path, { method: 'POST', body: new URLSearchParams(fields) });
  }

  /** Posts a form and opens the page that it leads to. */
  async submit(path: string, fields: Readonly<Record<string, string>> = {}): Promise<VisitedPage> {
    const seen = await this.post(path, fields);
    return seen.location === null ? seen : this.get(seen.location);
  }

  setCookie(name: string, value: string): void {
    this.#cookies.set(name, value);
  }
  cookies(): [string, string][] {
    return [...this.#cookies];
  }

  async send(path: string, init: RequestInit): Promise<VisitedPage> {
    const headers = new Headers(init.headers);
    if (this.#cookies.size > 0) {
      headers.set('cookie', [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    }
    const response = await fetch(new URL(path, this.#origin), { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      this.setCookies.push(line);
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    const text = await response.text();
    return { status: response.status, text, headers: response.headers, location: response.headers.get('location') };
  }
}
