/**
 * The public websites: three pages in each language, with the snippets of apps in the body. Snippets are the only thing that
 * is inserted verbatim; these pages have no content policy and read no session.
 */
import type { Context } from 'hono';
import { siteUrl, snippetsForPage, websiteByAlias } from '../../state/sites.ts';
import type { Website } from '../../state/state.ts';
import type { MockService } from '../../types/service.ts';
import { html, raw, toText } from '../html.ts';
import { PageError, type PageRoutes } from '../layout/shell.ts';

type PageName = 'home' | 'about' | 'contact';

interface Words {
  readonly home: string;
  readonly about: string;
  readonly contact: string;
  readonly welcome: string;
  readonly story: string;
  readonly write: string;
  readonly shop: string;
}

const ENGLISH: Words = {
  home: 'Home',
  about: 'About us',
  contact: 'Contact',
  welcome: 'Welcome to our shop.',
  story: 'We began small, and we still answer every letter ourselves.',
  write: 'Write to us:',
  shop: 'To the checkout',
};

const WORDS: Readonly<Record<string, Words>> = {
  en: ENGLISH,
  lv: {
    home: 'Sākums',
    about: 'Par mums',
    contact: 'Kontakti',
    welcome: 'Laipni lūdzam mūsu veikalā.',
    story: 'Sākām ar mazumiņu un joprojām paši atbildam uz katru vēstuli.',
    write: 'Rakstiet mums:',
    shop: 'Uz pirkuma noformēšanu',
  },
  ru: {
    home: 'Главная',
    about: 'О нас',
    contact: 'Контакты',
    welcome: 'Добро пожаловать в наш магазин.',
    story: 'Мы начинали с малого и до сих пор сами отвечаем на каждое письмо.',
    write: 'Пишите нам:',
    shop: 'Оформить заказ',
  },
  de: {
    home: 'Start',
    about: 'Über uns',
    contact: 'Kontakt',
    welcome: 'Willkommen in unserem Laden.',
    story: 'Wir haben klein angefangen und beantworten noch immer jeden Brief selbst.',
    write: 'Schreiben Sie uns:',
    shop: 'Zur Kasse',
  },
};

const PAGE_NAMES: readonly PageName[] = ['home', 'about', 'contact'];

const addressOf = (service: MockService, website: Website, language: string, name: PageName): string =>
  `${siteUrl(service, website, language)}${name === 'home' ? '' : `${name}/`}`;

const SITE_STYLE =
  ':root{color-scheme:light dark}body{font:17px/1.6 Georgia,serif;max-width:44rem;margin:0 auto;padding:1rem}nav a{margin-right:1rem}footer{margin-top:3rem;border-top:1px solid;padding-top:.6rem;font-size:.9rem}';

function sitePage(c: Context, service: MockService, website: Website, language: string, name: PageName): Response {
  const words = WORDS[language.split('-')[0] ?? ''] ?? ENGLISH;
  const content: Record<PageName, ReturnType<typeof html>> = {
    home: html`<p>${words.welcome}</p><p><a href="/checkout/${encodeURIComponent(website.alias)}/">${words.shop}</a></p>`,
    about: html`<p>${words.story}</p>`,
    contact: html`<p>${words.write} ${website.seller.address}</p>`,
  };
  const document = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words[name]} · ${website.brandname}</title>
${website.languages.map((code) => html`<link rel="alternate" hreflang="${code}" href="${addressOf(service, website, code, name)}">\n`)}<link rel="icon" href="data:,">
<style>${raw(SITE_STYLE)}</style>
</head>
<body>
<header><p><strong>${website.brandname}</strong></p>
<nav aria-label="${website.brandname}">${PAGE_NAMES.map((each) => html`<a href="${addressOf(service, website, language, each)}"${raw(each === name ? ' aria-current="page"' : '')}>${words[each]}</a>`)}</nav></header>
<main><h1>${words[name]}</h1>
${content[name]}
</main>
<footer><nav aria-label="${website.languages.join(', ')}">${website.languages.map((code) => html`<a href="${addressOf(service, website, code, name)}" hreflang="${code}" lang="${code}"${raw(code === language ? ' aria-current="true"' : '')}>${code}</a>`)}</nav></footer>
${snippetsForPage(service, website, language).map((snippet) => html`${raw(snippet)}\n`)}</body>
</html>
`;
  return c.body(toText(document), 200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
}

function siteOf(c: Context, service: MockService): Website {
  const website = websiteByAlias(service, c.req.param('alias') ?? '');
  if (!website) throw new PageError(404, 'There is no such website.');
  if (!service.rules.isEnabled(website)) throw new PageError(404, 'This website is switched off.');
  return website;
}

/** The page at a path below a website's root. The language comes first; without it the default language is used. */
function placeOf(website: Website, parts: readonly string[]): { language: string; name: PageName } {
  const [first, ...others] = parts;
  const known = first !== undefined && website.languages.includes(first);
  const language = known ? first : website.defaultLanguage;
  const rest = known ? others : parts;
  const name = rest.length === 0 ? 'home' : PAGE_NAMES.find((each) => each === rest[0]);
  if (name === undefined || rest.length > 1) throw new PageError(404, 'This website has no such page.');
  return { language, name };
}

/** Adds the public websites. */
export function mountWebsites(routes: PageRoutes): void {
  const { service } = routes;
  for (const path of ['/site/:alias/', '/site/:alias/:first/', '/site/:alias/:first/:second/']) {
    routes.get(path, (c) => {
      const website = siteOf(c, service);
      const parts = [c.req.param('first'), c.req.param('second')].filter((part) => part !== undefined);
      const { language, name } = placeOf(website, parts);
      return sitePage(c, service, website, language, name);
    });
  }
}
