/**
 * What the workers of a run tell each other about the installation of `apps.authCode`. A website may hold one installation of an app at
 * a time: then the installation that the driver makes in one worker ends that of the profile, whose code other workers use.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isStillRunning } from '../cleanup/process-alive.ts';
import { until } from '../process/until.ts';
import type { InstallationNotes } from '../resources/installation-notes.ts';

const NOTES = /^installing-(\d+)$/;
/** An installation that takes longer waits for a user, or its driver hangs. */
const MAX_WAIT_MS = 60_000;

export class ProfileInstallation implements InstallationNotes {
  /** The private folder of the run. */
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get #endFile(): string {
    return join(this.#folder, 'installation-ended');
  }

  get hasEnded(): boolean {
    return existsSync(this.#endFile);
  }

  noteEnd(): void {
    writeFileSync(this.#endFile, '', { mode: 0o600 });
  }

  begin(): () => void {
    const file = join(this.#folder, `installing-${process.pid}`);
    writeFileSync(file, String(Date.now()), { mode: 0o600 });
    return () => rmSync(file, { force: true });
  }

  async settled(): Promise<void> {
    await until(() => (this.hasEnded || !this.#isAnyUnderWay() ? true : undefined), MAX_WAIT_MS);
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
