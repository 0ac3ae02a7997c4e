/** Starts Playwright over the suites as a child process, stops it in order, and tells how it ended. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { JOB_VARIABLE, type Job } from '../../harness/runner/job.ts';
import { RUNNER_FAULT } from '../../harness/runner/reporter.ts';

export interface WorkersEnd {
  /** Faults of the runner itself, as sentences. */
  readonly faults: readonly string[];
  /** Why the run ended early. */
  readonly interrupted?: string;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Runs the workers to their end. The first Ctrl-C (or SIGTERM, or the end of the run's time) lets the checks that are
 * running finish and clean up; a second one ends them at once, and `proofmark sweep` puts right what they leave.
 */
export async function runWorkers(job: Job, maxMinutes: number): Promise<WorkersEnd> {
  const cli = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');
  const child = spawn(
    process.execPath,
    [cli, 'test', '-c', join(ROOT, `playwright.config${extname(import.meta.filename)}`)],
    {
      cwd: ROOT,
      // Its own process group: the terminal's Ctrl-C reaches this process, which stops the workers in order.
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        [JOB_VARIABLE]: JSON.stringify(job),
        // Node runs our TypeScript itself. Playwright would compile it into a folder that other users may have made, and run it from there.
        PW_DISABLE_TS_ESM: '1',
        FORCE_COLOR: '0',
      },
    },
  );
  let interrupted: string | undefined;
  const stop = (why: string): void => {
    if (interrupted !== undefined) {
      killGroup(child.pid);
      return;
    }
    interrupted = why;
    writeFileSync(job.stopFile, why);
    console.error(
      `\n${why}: letting the running checks clean up (once more to end at once; then run: proofmark sweep).`,
    );
  };
  const onInterrupt = () => stop('interrupted');
  const onTerminate = () => stop('terminated');
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  const timer = setTimeout(
    () => stop(`the run took longer than limits.maxMinutes (${maxMinutes})`),
    maxMinutes * 60_000,
  );
  timer.unref();

  const faults: string[] = [];
  let rest = '';
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) takeLine(line, faults);
  });
  const code = await new Promise<number>((resolve) => {
    child.on('error', (error) => {
      faults.push(error.message);
      resolve(1);
    });
    child.on('close', (status) => resolve(status ?? 1));
  });
  if (rest !== '') takeLine(rest, faults);
  clearTimeout(timer);
  process.off('SIGINT', onInterrupt);
  process.off('SIGTERM', onTerminate);
  if (code !== 0 && faults.length === 0 && interrupted === undefined) faults.push(`the runner ended with code ${code}`);
  return { faults, ...(interrupted === undefined ? {} : { interrupted }) };
}

function takeLine(line: string, faults: string[]): void {
  if (line.startsWith(RUNNER_FAULT)) {
    const { title, message } = JSON.parse(line.slice(RUNNER_FAULT.length)) as { title: string; message: string };
    faults.push(title === '' ? message : `${title}: ${message}`);
  } else if (line.trim() !== '' && !line.includes('npm warn')) {
    console.error(line);
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
