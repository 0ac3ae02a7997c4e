/** Loads of install and settings pages as the service makes them (spec: Installation and settings requests). */

import { LOAD_ROWS } from '../../fields/catalogue/app-load.ts';
import { HASH_PARAMETER, INSTALL_PARAMETERS, unambiguousValue } from '../../install-hash/index.ts';
import type { RuleContext } from '../call.ts';
import { Memory } from '../memory.ts';
import { type AppLoad, fieldOf } from '../reading/pages.ts';
import { isRedacted } from '../reading/redacted.ts';
import { judgeHash } from '../signatures.ts';

const OF_SERVICE: ReadonlySet<string> = new Set(INSTALL_PARAMETERS);

/** 64 lower-case hexadecimal digits. */
const HASH = /^[0-9a-f]{64}$/;

export const LOAD_CLAUSES = [
  ...LOAD_ROWS.flatMap(([, { install, settings }]) => [install, settings]),
  'install.hash.present',
  'install.hash.lowercase-hex',
  'install.hash.first-load-correct',
  'install.hash.second-load-correct',
  'settings.request.hash-correct',
  'install.parameters.callback-without-query',
  'install.hash.encodings-agree',
];

/** Clauses that a load can only show broken: by another method than GET. */
export const LOAD_CLAUSES_BROKEN = ['install.sequence.first-load', 'settings.request.loads-settings-url'];

/** Installations that are remembered. */
const MAX_INSTALLATIONS = 1_000;

/** A rule with memory: call it with every load, in their order. */
export function loadRule(scene: RuleContext): (load: AppLoad) => void {
  /** By authCode, what the first load with it said. */
  const appIds = new Memory<{ readonly appId: string; readonly n: number }>({ entries: MAX_INSTALLATIONS });

  return (load) => {
    judgeLoad(load, scene);
    const code = fieldOf(load.query, 'authCode') ?? '';
    const appId = fieldOf(load.query, 'appId') ?? '';
    if (code === '' || appId === '' || isRedacted(code) || isRedacted(appId)) return;
    const first = appIds.get(code) ?? appIds.set(code, { appId, n: load.seen.n });
    if (first.appId === appId) return;
    const clause = load.page === 'install' ? 'install.parameters.app-id' : 'settings.request.app-id';
    const message = `appId of the ${load.page} request is another one than in the load with the same authCode before (exchange ${first.n})`;
    // An app may pass on what it received, and change it.
    if (load.sender === 'service')
      scene.notes.breaks(clause, load.seen.n, {
        message,
        pointer: 'query appId',
        expected: first.appId,
        actual: appId,
      });
    else scene.notes.undecided(clause, load.seen.n, `${message}, unless it is not from the service`, 'target');
  };
}

/** Judges one load by itself. */
function judgeLoad({ seen, query, page, hasCode, sender }: AppLoad, scene: RuleContext): void {
  const { notes } = scene;
  const { n } = seen;
  const isInstall = page === 'install';
  if (seen.method !== 'GET') {
    const clause = isInstall ? 'install.sequence.first-load' : 'settings.request.loads-settings-url';
    const message = `the ${page} request was a ${seen.method} instead of a GET with its parameters in the query`;
    if (sender === 'service') {
      notes.breaks(clause, n, { message, pointer: 'method', expected: 'GET', actual: seen.method });
    } else {
      const reason = `${message}, unless the app passed on what it had received: the recording does not show which page made it`;
      notes.undecided(clause, n, reason, 'target');
    }
    return;
  }
  const say = (clause: string, parameter: string, holds: boolean, expected: string): void => {
    const value = fieldOf(query, parameter);
    if (holds) notes.keeps(clause, n);
    else if (isRedacted(value)) notes.undecided(clause, n, `${parameter} of a load was redacted in the recording`);
    else {
      notes.breaks(clause, n, {
        message: `${parameter} of the ${page} request is ${value === undefined ? 'missing' : value === '' ? 'empty' : 'in another form'}`,
        pointer: `query ${parameter}`,
        expected,
        actual: value === undefined ? 'no such parameter' : parameter === 'authCode' ? 'empty' : value,
      });
    }
  };
  for (const [parameter, { install, settings, holds, expected, isLater }] of LOAD_ROWS) {
    if (isLater && !hasCode) continue;
    say(isInstall ? install : settings, parameter, holds(fieldOf(query, parameter)), expected);
  }
  judgeHashOf();
  judgeAdvice();

  function judgeHashOf(): void {
    const hash = fieldOf(query, HASH_PARAMETER);
    const correct = !isInstall
      ? 'settings.request.hash-correct'
      : hasCode
        ? 'install.hash.second-load-correct'
        : 'install.hash.first-load-correct';
    const isThere = hash !== undefined && hash !== '';
    // A hash that is there is not yet a right one.
    if (isInstall || !isThere) say(isInstall ? 'install.hash.present' : correct, HASH_PARAMETER, isThere, 'a hash');
    if (!isThere) return;
    if (isInstall) say('install.hash.lowercase-hex', HASH_PARAMETER, HASH.test(hash), '64 digits of 0-9 and a-f');
    if (HASH.test(hash) || !isInstall) judgeHash(scene, correct, `the ${page} request`, seen.exchange.request.url, n);
  }

  function judgeAdvice(): void {
    const callback = fieldOf(query, 'callback') ?? '';
    if (isInstall && !isRedacted(callback)) {
      say(
        'install.parameters.callback-without-query',
        'callback',
        !callback.includes('?'),
        'an address without a query',
      );
    }
    // What else is there may be the address's own.
    const odd = query.find(([name, value]) => OF_SERVICE.has(name) && !isRedacted(value) && !unambiguousValue(value));
    if (odd === undefined) notes.keeps('install.hash.encodings-agree', n);
    else {
      notes.breaks('install.hash.encodings-agree', n, {
        message: `${odd[0]} of the ${page} request contains characters that encoders write differently`,
        pointer: `query ${odd[0]}`,
        expected: "neither space nor any of ~ * ! ' ( ) in the value",
      });
    }
  }
}
