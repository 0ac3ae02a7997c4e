// The apps interface: one installation, found by its code and by the key of the app that it belongs to.
import {
  json,
  jsonObject,
  Refusal,
  type Route,
  route,
  type ServiceRequest,
  type ServiceResponse,
  sameSecret,
} from '../server/http.ts';
import type { App, Installation, World } from '../state.ts';

interface AppContext {
  world: World;
  installation: Installation;
}

/** The installation with the code in the call; both spellings of the parameter are accepted. */
function installationOf(world: World, app: App, call: ServiceRequest): Installation {
  const code = call.query.find(([name]) => name.toLowerCase() === 'authcode')?.[1];
  if (!code) throw new Refusal(401, 401, 'Unauthorized: the authCode is missing.');
  let found: Installation | null = null;
  for (const candidate of world.installations.values()) {
    if (sameSecret(candidate.authCode, code) && candidate.app === app) found = candidate;
  }
  if (!found) throw new Refusal(403, 1007, 'This authCode is not one of your installations.');
  return found;
}

function finishInstalling({ installation }: AppContext): ServiceResponse {
  installation.installed = true;
  return json({ error: false });
}

function uninstall({ world, installation }: AppContext): ServiceResponse {
  world.installations.delete(installation.authCode);
  return json({ error: false });
}

/** A snippet for every page (the language absent, null or empty) or for the pages of one language of the website. */
function setSnippet({ installation }: AppContext, call: ServiceRequest): ServiceResponse {
  const { snippet, language } = jsonObject(call);
  if (typeof snippet !== 'string') throw new Refusal(422, 1017, 'snippet has to be a string.');
  if (language !== undefined && language !== null && typeof language !== 'string') {
    throw new Refusal(422, 1017, 'language has to be a language code.');
  }
  if (language && !installation.store.owner.languages.includes(language)) {
    throw new Refusal(409, 1022, 'The website does not have this language.');
  }
  installation.snippets.set(language ?? '', snippet);
  return json({ error: false });
}

function getSnippet({ installation }: AppContext, _call: ServiceRequest, [language = '']: string[]): ServiceResponse {
  if (language !== '' && !installation.store.owner.languages.includes(language)) {
    throw new Refusal(404, 1022, 'The website does not have this language.');
  }
  return json({ snippet: installation.snippets.get(language) ?? '' });
}

/** Data is kept as it was sent; an empty list is what some languages call an empty object. */
function setData({ installation }: AppContext, call: ServiceRequest): ServiceResponse {
  const { data } = jsonObject(call);
  const filledList = Array.isArray(data) && data.length > 0;
  if ((typeof data !== 'string' && (typeof data !== 'object' || data === null)) || filledList) {
    throw new Refusal(422, 1017, 'data has to be a string or an object.');
  }
  installation.data = JSON.stringify(data);
  return json({ error: false });
}

function getData({ installation }: AppContext): ServiceResponse {
  return json({ error: false, data: JSON.parse(installation.data) });
}

function readUser({ installation: { store } }: AppContext): ServiceResponse {
  const user = { email: store.email, email_confirmed: store.emailConfirmed, vārds: 'Ādams' };
  return json({ error: false, user });
}

function readWebsite({ world, installation: { store } }: AppContext): ServiceResponse {
  return json({ website: { url: `${world.origin}/site/${store.alias}/`, brandname: store.brand, plan: '☆' } });
}

function readLanguages({ installation: { store } }: AppContext): ServiceResponse {
  return json({ languages: store.owner.languages });
}

const routes: Route<AppContext>[] = [
  { path: 'installed', verbs: { POST: finishInstalling } },
  { path: 'delete', verbs: { POST: uninstall } },
  { path: 'set_snippet', verbs: { POST: setSnippet } },
  { path: 'get_snippet', verbs: { GET: getSnippet } },
  { path: 'get_snippet/*', verbs: { GET: getSnippet } },
  { path: 'set_data', verbs: { POST: setData } },
  { path: 'get_data', verbs: { GET: getData } },
  { path: 'user', verbs: { GET: readUser } },
  { path: 'website', verbs: { GET: readWebsite } },
  { path: 'languages', verbs: { GET: readLanguages } },
];

/** Answers a call whose path, below `apps`, is `path`. */
export function serveApps(
  world: World,
  app: App,
  call: ServiceRequest,
  path: string[],
): ServiceResponse | Promise<ServiceResponse> {
  const installation = installationOf(world, app, call);
  return route(routes, { world, installation }, call, path, { safeGets: true });
}
