// The runner of the suites; started by `proofmark run`, which hands the job over in the environment.
import { defineConfig } from '@playwright/test';
import { jobOf } from './harness/runner/job.ts';

const job = jobOf();

export default defineConfig({
  testDir: './suites/lanes',
  testMatch: '*.spec.ts',
  reporter: [['./harness/runner/reporter.ts']],
  workers: job?.workers ?? 2,
  retries: 0,
  fullyParallel: false,
  ...(job === undefined ? {} : { outputDir: `${job.privateFolder}/runner` }),
});
