#!/usr/bin/env node
// The `proofmark` command. It is plain old JavaScript, so that an old Node can say what is missing.
// In the installed package it loads the compiled command; in the checkout the TypeScript, in another process if this Node is too old.
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const minimum = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).engines.node.slice(2);
const [minMajor, minMinor] = minimum.split('.').map(Number);
const source = new URL('./main.ts', import.meta.url);
const [major, minor] = process.versions.node.split('.').map(Number);
const recent = major > minMajor || (major === minMajor && minor >= minMinor);
const inCheckout = existsSync(source);
const compiled = new URL('../dist/cli/main.js', import.meta.url);

if (inCheckout && !existsSync(new URL('../node_modules', import.meta.url))) {
  refuse('Proofmark is not installed yet: run `npm ci` in its folder first.');
} else if (!inCheckout && !existsSync(compiled)) {
  refuse('This package was packed without being compiled: make it with `npm run package` in the checkout.');
} else if (recent) {
  takeCompiledCode();
  await import(inCheckout ? source.href : compiled.href);
} else if (inCheckout) {
  await runOnPinnedNode();
} else {
  refuse(`Proofmark needs Node ${minimum} or newer and is running on ${process.version}: install Node 24.`);
}

/** What `common/compiled-code.ts` kept before: without it, taking the types out of the first files takes longer than a command's help. */
function takeCompiledCode() {
  const kept = fileURLToPath(new URL('../node_modules/.cache/proofmark-code', import.meta.url));
  if (inCheckout && process.env.NODE_COMPILE_CACHE === undefined && existsSync(kept)) module.enableCompileCache(kept);
}

async function runOnPinnedNode() {
  const [{ spawn }, { projectNode }] = await Promise.all([
    import('node:child_process'),
    import('../scripts/pinned-node/pinned-node.mjs'),
  ]);
  // The `--` keeps Node from taking our --env-file for its own.
  let node;
  try {
    node = projectNode();
  } catch (error) {
    refuse(error.message);
    return;
  }
  const child = spawn(node, ['--', fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  // The terminal sends Ctrl-C to the whole group; this parent only waits, so that the child can clean up and say so.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on('exit', (code, signal) => process.exit(signal ? 130 : (code ?? 4)));
}

function refuse(message) {
  console.error(`proofmark: ${message}`);
  process.exitCode = 2;
}
