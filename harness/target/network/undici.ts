/**
 * The parts of undici that the wire needs. The package as a whole also loads fetch, WebSocket, caches and mocks, which costs each
 * process of a run 50 ms of the processor and 13 MB.
 */
import { createRequire } from 'node:module';
import type * as Undici from 'undici';

const load = createRequire(import.meta.url);

// As the package does it when it is loaded: `request` and the other calls are added to every dispatcher.
Object.assign(load('undici/lib/dispatcher/dispatcher.js').prototype, load('undici/lib/api/index.js'));

export const Agent = load('undici/lib/dispatcher/agent.js') as typeof Undici.Agent;
export const buildConnector = load('undici/lib/core/connect.js') as typeof Undici.buildConnector;

/** Only a profile with a proxy needs it. */
export const proxyAgent = (options: Undici.ProxyAgent.Options): Undici.ProxyAgent =>
  new (load('undici/lib/dispatcher/proxy-agent.js') as typeof Undici.ProxyAgent)(options);
