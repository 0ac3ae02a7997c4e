// Runs a TypeScript file with the pinned Node and tsx, whatever Node started us:
//   node scripts/node24.mjs FILE.ts [ARGUMENT …]
import { spawnSync } from 'node:child_process';
import { pinnedNode } from './pinned-node.mjs';

const [file, ...rest] = process.argv.slice(2);
const done = spawnSync(pinnedNode(), ['--import', 'tsx', file, ...rest], { stdio: 'inherit' });
process.exit(done.status ?? 1);
