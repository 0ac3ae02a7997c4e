/** Faults of services that keep the settings of an account with each session of it, or with one of two nodes. */
import type { Deviation } from '../../../types/deviation.ts';
import { type InterceptedRequest, intercepts, json, memory, remembering } from '../../interception.ts';
import { API, parametersOf } from '../interception.ts';

type Http = NonNullable<Deviation['http']>;

const APPLIES = 'reseller.settings.set-applies';

/** Calls that read or set the settings, with the token of each. */
const bySession = (serve: (met: InterceptedRequest, token: string, sets: boolean) => Promise<Response>): Http =>
  intercepts('*', /^\/api\/settings\/(set\/)?$/, async (met) =>
    serve(
      met,
      (await parametersOf(met)).get('apiToken') ?? '',
      API.setSettings.test(new URL(met.request.url).pathname),
    ),
  );

/** Settings are read from the store once by a session, and again after it has set some. */
const readOnce: Http = remembering(() => {
  const kept = memory(() => new Map<string, string>());
  return bySession(async (met, token, sets) => {
    const texts = kept(met.service);
    const response = await met.pass();
    if (response.status !== 200) return response;
    if (sets) {
      texts.delete(token);
      return response;
    }
    const text = texts.get(token) ?? (await response.text());
    texts.set(token, text);
    return new Response(text, { headers: { 'content-type': 'application/json' } });
  });
});

/** What a session sets is never stored for the others. */
const neverStored: Http = remembering(() => {
  const own = memory(() => new Map<string, { readonly token: string; readonly before: unknown }>());
  return bySession(async (met, token, sets) => {
    const texts = own(met.service);
    if (!sets) {
      const response = await met.pass();
      if (response.status !== 200) return response;
      const shown: Record<string, unknown> = await response.json();
      for (const [name, text] of texts) if (text.token !== token) shown[name] = text.before;
      return json(shown);
    }
    const changes = Object.fromEntries(await parametersOf(met));
    const before: Record<string, unknown> = { ...met.service.state.resellers.all()[0]?.settings };
    const response = await met.pass();
    for (const name of response.status === 200 ? Object.keys(changes) : []) {
      const stored = texts.get(name)?.before ?? before[name];
      if (changes[name] === stored) texts.delete(name);
      else if (name in before) texts.set(name, { token, before: stored });
    }
    return response;
  });
});

/** Every second call is served by a node that keeps the settings as it has read them first. */
const olderOnOneNode: Http = remembering(() => {
  const node = memory<{ calls: number; text?: string }>(() => ({ calls: 0 }));
  return intercepts('*', API.any, async (met) => {
    const of = node(met.service);
    of.calls += 1;
    const isOlder = of.calls % 2 === 0 && API.settings.test(new URL(met.request.url).pathname);
    const response = await met.pass();
    if (!isOlder || response.status !== 200) return response;
    of.text ??= await response.text();
    return new Response(of.text, { headers: { 'content-type': 'application/json' } });
  });
});

/** A list is read from the store once by a session, and again after any call of it that is not a reading of lists. */
const listedOnce = (list: RegExp): Http =>
  remembering(() => {
    const kept = memory(() => new Map<string, Map<string, string>>());
    return intercepts('*', API.allButAuthorize, async (met) => {
      const token = (await parametersOf(met)).get('apiToken') ?? '';
      const { pathname } = new URL(met.request.url);
      const texts = kept(met.service).get(token) ?? new Map<string, string>();
      kept(met.service).set(token, texts);
      const response = await met.pass();
      if (response.status !== 200) return response;
      if (!/^\/api\/(websites|website\/[^/]+\/domains)\/?$/.test(pathname)) texts.clear();
      if (!list.test(pathname)) return response;
      const text = texts.get(pathname) ?? (await response.text());
      texts.set(pathname, text);
      return new Response(text, { headers: { 'content-type': 'application/json' } });
    });
  });

export const bySessionFaults: readonly Deviation[] = [
  {
    id: 'reseller.domains-kept-by-session',
    clause: 'reseller.domain.add-attaches',
    about:
      'A session that has listed the domains of a website is shown the same ones until it changes something itself.',
    http: listedOnce(/\/domains\/?$/),
  },
  {
    id: 'reseller.websites-kept-by-session',
    clause: 'reseller.premium.enable',
    about: 'A session that has listed the websites is shown the same ones until it changes something itself.',
    http: listedOnce(/\/websites\/?$/),
  },
  {
    id: 'reseller.settings-kept-by-session',
    clause: APPLIES,
    about: 'A session that has read the settings is shown the same ones until it sets some itself.',
    http: readOnce,
  },
  {
    id: 'reseller.settings-of-one-session',
    clause: APPLIES,
    about: 'A setting is shown to the session that set it, and to no other.',
    http: neverStored,
  },
  {
    id: 'reseller.settings-older-on-one-node',
    clause: APPLIES,
    about: 'One of two nodes, which serve calls in turns, shows the settings as it has read them first.',
    http: olderOnOneNode,
  },
];
