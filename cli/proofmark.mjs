#!/usr/bin/env node
// The `proofmark` command: starts cli/main.ts with the pinned Node and tsx, so that it runs the same from any Node.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pinnedNode } from '../scripts/pinned-node.mjs';

const tsx = new URL('../node_modules/tsx/dist/loader.mjs', import.meta.url);
const main = fileURLToPath(new URL('./main.ts', import.meta.url));

let node;
try {
  if (!existsSync(tsx)) throw new Error('Proofmark is not installed yet: run `npm ci` in its folder first.');
  node = pinnedNode();
} catch (error) {
  console.error(`proofmark: ${error.message}`);
  process.exit(2);
}
const child = spawn(node, ['--import', tsx.href, main, ...process.argv.slice(2)], { stdio: 'inherit' });
// The terminal sends Ctrl-C to the whole group; this parent only waits, so that the child can clean up and say so.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
child.on('exit', (code, signal) => process.exit(signal ? 130 : (code ?? 4)));
