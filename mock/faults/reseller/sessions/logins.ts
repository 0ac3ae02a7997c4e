/** Faults of one-time login links and of the pages behind them. */
import { setTimeout } from 'node:timers/promises';
import type { Deviation } from '../../../types/deviation.ts';
import { intercepts, page, remembering } from '../../interception.ts';
import { API, bodies } from '../interception.ts';

/** So long a visit waits for another one that comes at the same time. */
const AT_ONCE_MS = 40;

const USER = 'Ann Lee of the North';

/** Below the path of login links, where the fault is in front of the service. */
const SIGN_IN = '/login/sign-in';

type Met = Parameters<Parameters<typeof intercepts>[2]>[0];

async function toAnotherWebsite({ parts, pass, service }: Met): Promise<Response> {
  const { loginLinks, websites } = service.state;
  const link = loginLinks.get(parts[0] ?? '');
  const own = websites.get(String(link?.websiteId));
  const other = websites.find(({ id, resellerId }) => id !== own?.id && resellerId === own?.resellerId);
  if (link && other) service.change(() => void loginLinks.set(link.token, { ...link, websiteId: other.id }));
  return pass();
}

export const loginFaults: readonly Deviation[] = [
  {
    id: 'reseller.login-link-as-object',
    clause: 'reseller.login.link',
    about: 'The login link is an object that contains the address.',
    rules: bodies(['createLoginLink'], (body) => ({ ...body, loginUrl: { url: body.loginUrl } })),
  },
  {
    id: 'reseller.login-link-dead',
    clause: 'reseller.login.signs-in',
    about: 'No login link works.',
    rules: () => ({ loginLinkUsable: () => false }),
  },
  {
    id: 'reseller.login-link-asks-for-password',
    clause: 'reseller.login.signs-in',
    about: 'A login link leads to a page that asks for the password.',
    http: intercepts('*', API.loginPage, async () => {
      const form = '<form method="post"><label>Password <input type="password" name="p"></label></form>';
      return new Response(form, { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    }),
  },
  {
    id: 'reseller.login-link-to-sign-in-page',
    clause: 'reseller.login.signs-in',
    about: 'A login link leads to the sign-in page, and one that was never issued to an error.',
    http: async (request, next, service) => {
      const { pathname } = new URL(request.url);
      if (pathname === SIGN_IN) {
        return page(
          'Sign in</h1><form method="post"><input type="password" name="p"><button>Sign in</button></form><h1>',
        );
      }
      const token = API.loginPage.exec(pathname)?.[1];
      if (token === undefined || !service.state.loginLinks.has(token)) return next(request);
      return new Response(null, { status: 302, headers: { location: SIGN_IN } });
    },
  },
  {
    id: 'reseller.login-link-of-another-website',
    clause: 'reseller.login.signs-in',
    about: 'A login link leads to another website of the reseller.',
    http: intercepts('GET', API.loginPage, toAnotherWebsite),
  },
  {
    id: 'reseller.login-link-of-the-users-other-website',
    clause: 'reseller.login.signs-in',
    about:
      'All websites belong to one user, whom the page behind a login link greets, and the link leads to another one.',
    rules: (correct) => ({
      websiteRecord: (website) => ({
        ...correct.websiteRecord(website),
        userName: USER,
        userEmail: 'ann@mail.example',
      }),
    }),
    http: intercepts('GET', API.loginPage, async (met) => {
      const response = await toAnotherWebsite(met);
      if (response.status !== 200) return response;
      const html = (await response.text()).replace('</body>', `<p>${USER}</p></body>`);
      return new Response(html, { status: 200, headers: response.headers });
    }),
  },
  {
    id: 'reseller.login-link-reusable',
    clause: 'reseller.login.single-use',
    about: 'A login link can be used any number of times.',
    rules: () => ({ loginLinkAfterUse: (link) => link }),
  },
  {
    id: 'reseller.login-link-usable-twice',
    clause: 'reseller.login.single-use',
    about: 'A login link can be used twice.',
    rules: (correct) => {
      const opened = new Set<string>();
      return {
        loginLinkAfterUse: (link) => {
          if (opened.has(link.token)) return correct.loginLinkAfterUse(link);
          opened.add(link.token);
          return link;
        },
      };
    },
  },
  {
    id: 'reseller.login-link-of-next-call-dead',
    clause: 'reseller.login.new-link-per-call',
    about: 'The first link after a used one does not work; the next one does.',
    http: remembering(() => {
      const opened = new WeakMap<object, Map<number, string>>();
      return intercepts('GET', API.loginPage, async ({ parts, pass, service }) => {
        const websites = opened.get(service) ?? new Map<number, string>();
        opened.set(service, websites);
        const link = service.state.loginLinks.get(parts[0] ?? '');
        const former = link && websites.get(link.websiteId);
        // A link is refused once if another link was opened before it.
        if (link && former !== undefined && former !== link.token) {
          websites.delete(link.websiteId);
          return page('This website was opened already.', 403);
        }
        const response = await pass();
        if (link && response.status < 400) websites.set(link.websiteId, link.token);
        return response;
      });
    }),
  },
  {
    id: 'reseller.login-link-never-changes',
    clause: 'reseller.login.new-link-per-call',
    about: 'Every call returns the link of the first call, even after it was used.',
    rules: (correct) => {
      let first: string | undefined;
      return { newLoginToken: (random) => (first ??= correct.newLoginToken(random)) };
    },
    http: intercepts('*', API.login, async (met) => {
      const used = met.service.state.loginLinks.filter((link) => link.used);
      const response = await met.pass();
      met.service.change(() => {
        for (const link of used) met.service.state.loginLinks.set(link.token, link);
      });
      return response;
    }),
  },
  {
    id: 'reseller.login-link-usable-at-once',
    clause: 'reseller.login.single-use',
    about: 'A login link that two visitors open at the same time signs both in.',
    http: remembering(() => {
      const opening = new Map<string, number>();
      const together = new Set<string>();
      return intercepts('GET', API.loginPage, async ({ parts: [token = ''], pass, service }) => {
        const others = opening.get(token) ?? 0;
        opening.set(token, others + 1);
        if (others > 0) together.add(token);
        // Until both have come, also on a busy machine.
        await setTimeout(AT_ONCE_MS);
        const link = service.state.loginLinks.get(token);
        if (link !== undefined && together.has(token))
          service.change(() => service.state.loginLinks.set(token, { ...link, used: false }));
        const response = await pass();
        const left = (opening.get(token) ?? 1) - 1;
        opening.set(token, left);
        if (left === 0) together.delete(token);
        return response;
      });
    }),
  },
  {
    id: 'reseller.login-link-of-any-website',
    clause: 'reseller.website.unknown-refused',
    about: 'A login link is created for the website of another reseller.',
    fixtures: (correct) => {
      const known = correct.websites.filter(({ resellerId }) => resellerId !== null);
      const id = Math.min(...known.map((website) => website.id)) - 1;
      const foreign = known.find(({ resellerId }) => resellerId !== known[0]?.resellerId);
      return foreign === undefined ? correct : { ...correct, websites: [...correct.websites, { ...foreign, id }] };
    },
    rules: (correct) => ({
      resellerOwns: (reseller, website, operation) =>
        operation === 'createLoginLink' || correct.resellerOwns(reseller, website, operation),
    }),
  },
  {
    id: 'reseller.login-link-of-get-reusable',
    clause: 'reseller.login.single-use',
    about: 'A login link that was asked for by GET can be used any number of times.',
    http: remembering(() => {
      const ofGet = new Set<string>();
      const notes = intercepts('GET', API.login, async ({ pass, service }) => {
        const before = new Set(service.state.loginLinks.all().map(({ token }) => token));
        const response = await pass();
        for (const { token } of service.state.loginLinks.all()) if (!before.has(token)) ofGet.add(token);
        return response;
      });
      const opens = intercepts('GET', API.loginPage, async ({ parts, pass, service }) => {
        const link = service.state.loginLinks.get(parts[0] ?? '');
        if (link !== undefined && ofGet.has(link.token))
          service.change(() => service.state.loginLinks.set(link.token, { ...link, used: false }));
        return pass();
      });
      return (request, next, service) => notes(request, (one) => opens(one, next, service), service);
    }),
  },
];
