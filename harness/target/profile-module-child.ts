/** The process of `profile-module.ts`: its one argument is the path of a profile module. */
import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { loadErrorOf } from './driver/load-error.ts';
import type { ProfileModuleReply } from './profile-module.ts';

const REPLY_FD = 3;
const [, , file = ''] = process.argv;

/** What the module has begun besides is of no use to a profile. */
function reply(said: ProfileModuleReply): never {
  writeSync(REPLY_FD, JSON.stringify(said));
  process.exit(0);
}
const refuse = (error: unknown): never => reply({ problem: loadErrorOf(file, error) });
process.on('uncaughtException', refuse);
process.on('unhandledRejection', refuse);
process.on('beforeExit', () => reply({ problem: 'it waits for something that never happens' }));

try {
  const { default: profile } = (await import(pathToFileURL(file).href)) as { default?: unknown };
  // A rejection that the module leaves unhandled is reported by then.
  await new Promise((next) => setImmediate(next));
  reply({ text: typeof profile === 'object' && profile !== null ? JSON.stringify(profile, null, 2) : '' });
} catch (error) {
  refuse(error);
}
