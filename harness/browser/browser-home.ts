/**
 * What the browser gets of this machine: a home folder of its own, and the few variables without which it does not start. A
 * page that breaks out of the browser finds neither keys in the environment nor files in the user's home.
 */
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { makeOwnedFolder } from '../process/owned-folder.ts';

export interface BrowserHome {
  readonly folder: string;
  /** The whole environment of the browser. */
  readonly environment: Record<string, string>;
  /** Removes the folder; may be called twice. */
  remove(): void;
}

/** Variables that say where programs, fonts and libraries are, which time and language it is, and what a window needs. */
const KEPT: readonly string[] = [
  ...['PATH', 'LANG', 'LANGUAGE', 'TZ', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH'],
  ...['CHROME_DEVEL_SANDBOX', 'SSL_CERT_FILE', 'SSL_CERT_DIR', '__CF_USER_TEXT_ENCODING'],
  ...['SYSTEMROOT', 'WINDIR', 'SYSTEMDRIVE', 'COMSPEC', 'PATHEXT', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'PROGRAMDATA'],
  ...['NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE', 'OS'],
];
const KEPT_PREFIX = /^LC_/;

/** Where Chromium on Linux looks for authorities that the user trusts, below the home folder. */
const TRUST_STORE = join('.pki', 'nssdb');
/** The authorities and the list of modules; not the private keys beside them. */
const TRUST_FILES = ['cert9.db', 'pkcs11.txt'];

/** Makes the home folder of one browser. `env` and `home` are those of this process by default. */
export function openBrowserHome(
  executablePath: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
  home = homedir(),
): BrowserHome {
  const folder = makeOwnedFolder('proofmark-browser-');
  copyTrust(home, folder);
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && (KEPT.includes(name.toUpperCase()) || KEPT_PREFIX.test(name))) environment[name] = value;
  for (const name of ['TMPDIR', 'TEMP', 'TMP', 'XDG_RUNTIME_DIR']) environment[name] = folder;
  // A snap is confined by itself, and does not start with another home folder than its user's.
  const isSnap = executablePath.startsWith('/snap/');
  for (const name of ['HOME', 'USERPROFILE']) environment[name] = isSnap ? home : folder;
  for (const name of ['APPDATA', 'LOCALAPPDATA']) environment[name] = folder;
  return { folder, environment, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

function copyTrust(home: string, folder: string): void {
  for (const name of TRUST_FILES) {
    const file = join(home, TRUST_STORE, name);
    if (!existsSync(file)) continue;
    try {
      mkdirSync(join(folder, TRUST_STORE), { recursive: true, mode: 0o700 });
      copyFileSync(file, join(folder, TRUST_STORE, name));
    } catch {
      // A store that cannot be read is ignored: certificates of its authorities are refused, which the reports say.
    }
  }
}
