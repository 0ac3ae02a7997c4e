/**
 * `node bench/latency.ts [MS] [WORKERS]`: a run without browser and properties on a distant service, played by the embedded one behind
 * a proxy that holds each response back. Prints the wall time, the requests by interface and the time of each phase.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunFooter } from '../contracts/run/events.ts';
import { startMock } from '../mock/index.ts';

const PROOFMARK = join(import.meta.dirname, '../cli/proofmark.mjs');

/** Forwards to `target`, `ms` later, and writes its own address where the target writes its. */
function proxyTo(target: string, ms: number) {
  const { hostname, port } = new URL(target);
  const server = createServer(async (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const body = await buffer(incoming);
    const forwarded = request({ hostname, port, method, path: url, headers }).end(body);
    const [response] = await once(forwarded, 'response');
    const text = (await buffer(response)).toString('latin1').replaceAll(target, originOf(server));
    await pause(ms);
    const { 'transfer-encoding': _chunked, ...others } = response.headers;
    outgoing.writeHead(response.statusCode, { ...others, 'content-length': text.length });
    outgoing.end(Buffer.from(text, 'latin1'));
  });
  return server;
}

const originOf = (server: ReturnType<typeof createServer>): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const [ms = '50', workers = '8'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'proofmark-latency-'));
await using service = await startMock();
const proxy = proxyTo(service.origin, Number(ms)).listen(0, '127.0.0.1');
await once(proxy, 'listening');
const profile = join(folder, 'profile.json');
const text = JSON.stringify(service.profile).replaceAll(service.origin, originOf(proxy));
writeFileSync(profile, text, { mode: 0o600 });

const started = performance.now();
const options = ['run', '--target', profile, '--runs', '0', '--workers', workers, '--out', folder, '--quiet'];
const env = { ...process.env, PROOFMARK_BROWSER: 'none' };
const [exitCode] = await once(spawn(process.execPath, [PROOFMARK, ...options], { env, stdio: 'inherit' }), 'exit');
const seconds = (performance.now() - started) / 1000;
const lines = readFileSync(join(folder, 'events.ndjson'), 'utf8').trimEnd().split('\n');
const footer = JSON.parse(lines.at(-1) ?? '') as RunFooter;
console.log(
  `${seconds.toFixed(1)} s with ${ms} ms and ${workers} workers: ${footer.requests} requests, exit ${exitCode}`,
);
console.log(`  ${JSON.stringify({ ...footer.requestsByInterface, ...footer.timings })}`);
proxy.close();
proxy.closeAllConnections();
rmSync(folder, { recursive: true });
