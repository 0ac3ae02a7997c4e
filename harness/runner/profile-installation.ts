/**
 * What the workers of a run share about the installations of the profile. A website may hold one installation of an app at
 * a time: then the installation that the driver makes in one worker ends that of the profile, whose code other workers use. They take
 * the code of the new one from then on.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Installation } from '../cleanup/ledger.ts';
import { openCode, type SealedCode, sealCode } from '../cleanup/ledger-secrets.ts';
import { isStillRunning } from '../cleanup/process-alive.ts';
import { until } from '../process/until.ts';
import type { InstallationNotes } from '../resources/installation-notes.ts';
import { Secret } from '../target/secrets/secret.ts';

const NOTES = /^installing-(\d+)$/;
/** An installation that takes longer waits for a user, or its driver hangs. */
const MAX_WAIT_MS = 60_000;

/** The note of an installation that has ended; without a code, nothing is known to have taken its place. */
interface EndNote {
  readonly name?: string;
  readonly sealedCode?: SealedCode;
}

export class ProfileInstallation implements InstallationNotes {
  /** The private folder of the run. */
  readonly #folder: string;
  /** The key of the app, under which the codes are written; an app without one has no installations that a run uses. */
  readonly #key: Secret | undefined;
  /** Of this process, one within another. */
  #installing = 0;

  constructor(folder: string, key: Secret | undefined) {
    this.#folder = folder;
    this.#key = key;
  }

  #endFile(installation: Installation): string {
    return join(this.#folder, `installation-ended-${installation}`);
  }

  hasEnded(installation: Installation): boolean {
    return existsSync(this.#endFile(installation));
  }

  replacement(installation: Installation): Secret | undefined {
    if (this.#key === undefined || !this.hasEnded(installation)) return undefined;
    const { name, sealedCode } = JSON.parse(readFileSync(this.#endFile(installation), 'utf8')) as EndNote;
    const code = sealedCode && openCode(sealedCode, this.#key);
    return name === undefined || code === undefined ? undefined : new Secret(name, code);
  }

  noteEnd(installation: Installation, replacement?: Secret): void {
    const isKept = replacement !== undefined && this.#key !== undefined;
    const note: EndNote = isKept
      ? { name: replacement.name, sealedCode: sealCode(replacement.reveal(), this.#key) }
      : {};
    // Other processes read the note at any time: it is there as a whole or not at all.
    const draft = join(this.#folder, `draft-${process.pid}`);
    writeFileSync(draft, JSON.stringify(note), { mode: 0o600 });
    renameSync(draft, this.#endFile(installation));
  }

  begin(): () => void {
    const file = join(this.#folder, `installing-${process.pid}`);
    if (this.#installing === 0) writeFileSync(file, String(Date.now()), { mode: 0o600 });
    this.#installing += 1;
    return () => {
      this.#installing -= 1;
      if (this.#installing === 0) rmSync(file, { force: true });
    };
  }

  async settled(): Promise<void> {
    await until(() => (this.#isAnyUnderWay() ? undefined : true), MAX_WAIT_MS);
  }

  #isAnyUnderWay(): boolean {
    return readdirSync(this.#folder).some((name) => {
      const pid = Number(NOTES.exec(name)?.[1] ?? process.pid);
      return pid !== process.pid && isStillRunning(pid, sinceOf(join(this.#folder, name)));
    });
  }
}

/** When a note was written; 0 for one that was removed meanwhile, whose process then counts as another one. */
function sinceOf(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}
