// Runs a TypeScript file on a Node that takes it as it is, whatever Node started us:
//   node scripts/node24.mjs FILE.ts [ARGUMENT …]
import { spawnSync } from 'node:child_process';
import { projectNode } from './pinned-node/pinned-node.mjs';

const done = spawnSync(projectNode(), process.argv.slice(2), { stdio: 'inherit' });
process.exit(done.status ?? 1);
