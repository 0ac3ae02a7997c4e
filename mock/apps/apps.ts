/** The apps interface: every call is made for one installation, with the app's key and the installation's code. */
import type { ServiceRequest } from '../http/call.ts';
import { type OperationHandler, routesOf } from '../http/interface.ts';
import { refuse, unauthorized } from '../http/refusal.ts';
import { isObject } from '../http/request.ts';
import { siteUrl } from '../state/sites.ts';
import type { Installation, Website } from '../state/state.ts';
import type { MockService } from '../types/service.ts';

interface Caller {
  readonly installation: Installation;
  readonly website: Website;
}

/** The installation behind key and code. Refuses when either is missing, wrong, or belongs to something else. */
function callerOf(service: MockService, call: ServiceRequest): Caller {
  const { rules, state } = service;
  const key = rules.apiKeyOf(call.headers.get('authorization'));
  const code = rules.authCodeOf(call.params);
  if (key === null || code === null) return unauthorized();
  for (const installation of state.installations.all()) {
    const app = state.apps.get(installation.appId);
    if (!app || !rules.mayServeInstallation(app, installation, key, code)) continue;
    const website = state.websites.get(String(installation.websiteId));
    if (website) return { installation, website };
  }
  return unauthorized();
}

type Run = (service: MockService, caller: Caller, call: ServiceRequest) => Record<string, unknown>;

const reads = (run: Run): OperationHandler => ({
  changes: false,
  run: (service, call) => run(service, callerOf(service, call), call),
});
const writes = (run: Run): OperationHandler => ({ ...reads(run), changes: true });

const success = (service: MockService): Record<string, unknown> => service.rules.successEnvelope('apps');

function sent(call: ServiceRequest, name: string): unknown {
  return Object.hasOwn(call.body, name) ? call.body[name] : undefined;
}

/** A language of the website, or null for none. Clients send null or '' for none. */
function languageOf(service: MockService, website: Website, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') return refuse('invalid', 'language must be a string.');
  if (service.rules.knowsLanguage(website, value)) return value;
  return refuse('invalid', `The website has no language ${JSON.stringify(value)}.`);
}

export const appRoutes = routesOf('apps', '/v1', {
  finishInstallation: writes((service, { installation }) => {
    service.state.installations.set(installation.authCode, service.rules.finishInstallation(installation));
    return success(service);
  }),
  uninstallApp: writes((service, { installation }) => {
    service.rules.uninstall(service.state.installations, installation);
    return success(service);
  }),
  setSnippet: writes((service, { installation, website }, call) => {
    const { rules, state } = service;
    const snippet = sent(call, 'snippet');
    if (typeof snippet !== 'string') return refuse('invalid', 'snippet must be a string.');
    const slot = rules.snippetSlot(languageOf(service, website, sent(call, 'language')));
    const snippets = { ...installation.snippets, [slot]: rules.snippetKept(snippet) };
    state.installations.set(installation.authCode, { ...installation, snippets });
    return success(service);
  }),
  getSnippet: reads((service, { installation }) => ({
    snippet: service.rules.snippetRead(installation, null),
  })),
  getLanguageSnippet: reads((service, { installation, website }, call) => ({
    snippet: service.rules.snippetRead(installation, languageOf(service, website, call.segments.language)),
  })),
  setData: writes((service, { installation }, call) => {
    const data = sent(call, 'data');
    if (typeof data !== 'string' && !isObject(data) && !Array.isArray(data)) {
      return refuse('invalid', 'data must be a string or an object.');
    }
    const kept = service.rules.dataKept(installation.data, data);
    service.state.installations.set(installation.authCode, { ...installation, data: kept });
    return success(service);
  }),
  getData: reads((service, { installation }) => ({
    data: service.rules.dataRead(installation),
  })),
  getUser: reads((service, { website }) => ({ user: service.rules.userRecord(website) })),
  getWebsite: reads((service, { website }) => ({
    website: service.rules.websiteRecordForApps(website, siteUrl(service, website)),
  })),
  getLanguages: reads((service, { website }) => ({
    languages: service.rules.languagesRecord(website),
  })),
});
