/** Prism as a checking proxy: our calls go through it, and it names in a header what does not conform to the document. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { OPERATIONS, pathOf } from '../../../contracts/operations/index.ts';
import { CALLS, type Call } from './calls.ts';
import { type GenericTool, INSTALLED, type Setting } from './tool.ts';

const PRISM = join(INSTALLED, '@stoplight/prism-cli/dist/index.js');

/** Starts a proxy for each document. */
export async function prism({ documents, service, inputs }: Setting): Promise<GenericTool> {
  const proxies = {
    v1: await startProxy(documents.v1, service.v1.slice(0, -1)),
    api: await startProxy(documents.api, service.api.slice(0, -1)),
  };
  return {
    name: 'Prism as a proxy',
    failures: async () => {
      let failures = 0;
      for (const calls of Object.values(CALLS)) {
        const known = new Map(Object.entries(inputs));
        for (const call of calls) {
          const { document } = OPERATIONS[call.operation];
          failures += await send(proxies[document as 'v1' | 'api'].origin, call, known);
        }
      }
      return failures;
    },
    close: () => {
      for (const { process: child } of Object.values(proxies)) child.kill();
    },
  };
}

async function startProxy(document: string, upstream: string): Promise<{ origin: string; process: ChildProcess }> {
  const child = spawn(process.execPath, [PRISM, 'proxy', document, upstream, '--host', '127.0.0.1', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    const [, origin] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(line.replace(upstream, '')) ?? [];
    if (origin === undefined) continue;
    // Its log has to be read on, or it stops when the pipe is full.
    child.stdout.resume();
    return { origin, process: child };
  }
  await once(child, 'exit');
  throw new Error(`Prism ended before it listened for ${document}.`);
}

/** Sends a call, keeps what it returns for later ones, and counts the violations that Prism saw in the response. */
async function send(origin: string, call: Call, known: Map<string, string>): Promise<number> {
  const filled = (text: string): string => text.replace(/\{(\w+)\}/g, (all, name: string) => known.get(name) ?? all);
  const { methods } = OPERATIONS[call.operation];
  const values = Object.entries(call.path ?? {}).map(([name, value]) => [name, encodeURIComponent(filled(value))]);
  const path = pathOf(call.operation, Object.fromEntries(values));
  const query = new URLSearchParams(Object.entries(call.query ?? {}).map(([name, value]) => [name, filled(value)]));
  const body =
    call.json === undefined
      ? call.form && new URLSearchParams(Object.entries(call.form).map(([name, value]) => [name, filled(value)]))
      : filled(JSON.stringify(call.json));
  const response = await fetch(`${origin}/${path}${query.size === 0 ? '' : `?${query}`}`, {
    method: call.form === undefined ? methods[0] : 'POST',
    headers: {
      ...(call.key === undefined ? {} : { authorization: filled(call.key) }),
      ...(call.json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  for (const [name, place] of Object.entries(call.returns ?? {})) known.set(name, valueAt(text, place));
  const violations = JSON.parse(response.headers.get('sl-violations') ?? '[]') as { location?: string[] }[];
  const wrongStatus = response.ok === (call.isRefused === true) ? 1 : 0;
  return violations.filter(({ location }) => location?.[0] === 'response').length + wrongStatus;
}

function valueAt(text: string, place: string): string {
  try {
    let value: unknown = JSON.parse(text);
    for (const name of place.slice(1).split('/')) value = (value as Record<string, unknown>)[name];
    return String(value);
  } catch {
    return 'unknown';
  }
}
