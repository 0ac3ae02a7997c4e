/** The frame of every page: head, navigation and error pages, and routes that always use it. */
import type { Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { Refusal } from '../../http/refusal.ts';
import type { MockService } from '../../types/service.ts';
import { type Html, html, raw, toText } from '../html.ts';
import { CONTENT_POLICY, STYLE } from './style.ts';

export interface PageParts {
  /** Document title and main heading. */
  readonly title: string;
  readonly body: Html;
  /** The area's own navigation: address and text, in order. */
  readonly links?: readonly (readonly [href: string, text: string])[];
  readonly status?: number;
  readonly language?: string;
  /** The heading, if it differs from the title. */
  readonly heading?: string;
}

const SERVICE_NAME = 'Embedded service';

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  // Pages show keys, orders and one-time links, so caches and the back button must not keep them.
  'cache-control': 'no-store',
  'content-security-policy': CONTENT_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
} as const;

/** A whole page as a response. */
export function page(c: Context, parts: PageParts): Response {
  const here = new URL(c.req.url).pathname;
  const document = html`<!doctype html>
<html lang="${parts.language ?? 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${parts.title} · ${SERVICE_NAME}</title>
<link rel="icon" href="data:,">
<style>${raw(STYLE)}</style>
</head>
<body>
<header><div><strong><a href="/">${SERVICE_NAME}</a></strong>${parts.links && navigation(parts.links, here)}</div></header>
<main>
<h1>${parts.heading ?? parts.title}</h1>
${parts.body}
</main>
</body>
</html>
`;
  return c.body(toText(document), (parts.status ?? 200) as ContentfulStatusCode, PAGE_HEADERS);
}

function navigation(links: NonNullable<PageParts['links']>, here: string): Html {
  const items = links.map(
    ([href, text]) => html`<li><a href="${href}"${raw(href === here ? ' aria-current="page"' : '')}>${text}</a></li>`,
  );
  return html`<nav aria-label="Pages"><ul>${items}</ul></nav>`;
}

/** Redirects to another page by GET after a form, so that a reload repeats nothing. */
export function seeOther(c: Context, address: string): Response {
  return c.body(null, 303, { location: address, 'cache-control': 'no-store' });
}

const TITLES: Record<number, string> = {
  400: 'This can’t be done',
  401: 'Please sign in',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Not offered here',
  409: 'Not possible any more',
  410: 'No longer valid',
  413: 'Too large',
};

/** An error for people. */
export function errorPage(c: Context, status: number, message: string): Response {
  return page(c, {
    title: TITLES[status] ?? 'Error',
    status,
    body: html`<section role="alert"><p>${message}</p></section><p><a href="/">All pages of this service</a></p>`,
  });
}

/** Thrown by a page that cannot be shown: a status and a sentence for the user. */
export class PageError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = 'PageError';
    this.status = status;
  }
}

export type PageHandler = (c: Context) => Response | Promise<Response>;

/** Adds pages to an app. A refusal becomes an error page, and a wrong method returns status 405. */
export class PageRoutes {
  readonly app: Hono;
  readonly service: MockService;
  readonly #methods = new Map<string, Set<string>>();

  constructor(app: Hono, service: MockService) {
    this.app = app;
    this.service = service;
  }

  get(path: string, handler: PageHandler): void {
    this.#add('GET', path, handler);
  }

  post(path: string, handler: PageHandler): void {
    this.#add('POST', path, handler);
  }

  /** To be called once, after all pages were added. */
  finish(): void {
    for (const [path, methods] of this.#methods) {
      this.app.all(path, (c) => {
        const response = errorPage(c, 405, `This address takes ${[...methods].join(' and ')} only.`);
        response.headers.set('allow', [...methods].join(', '));
        return response;
      });
    }
  }

  /** An address with a trailing slash also works without it. */
  #add(method: 'GET' | 'POST', path: string, handler: PageHandler): void {
    const bare = path.replace(/(?<=.)\/$/, '');
    for (const address of new Set([path, bare])) {
      this.#methodsOf(address).add(method);
      this.app.on(method, address, (c) => this.#guarded(c, handler));
    }
  }

  #methodsOf(path: string): Set<string> {
    const known = this.#methods.get(path) ?? new Set<string>();
    this.#methods.set(path, known);
    return known;
  }

  async #guarded(c: Context, handler: PageHandler): Promise<Response> {
    try {
      return await handler(c);
    } catch (error) {
      if (error instanceof PageError) return errorPage(c, error.status, error.message);
      if (error instanceof Refusal) return errorPage(c, this.service.rules.errorStatus(error.kind), error.message);
      throw error;
    }
  }
}
