// The runner of the suites; started by `proofmark run`, which hands the job over in the environment.
import { extname } from 'node:path';
import { defineConfig } from '@playwright/test';
import { jobOf } from './harness/runner/job.ts';

const job = jobOf();
/** `.ts` in the checkout, `.js` in the package. */
const extension = extname(import.meta.filename);

export default defineConfig({
  testDir: './suites/lanes',
  testMatch: `*.spec${extension}`,
  reporter: [[`./harness/runner/reporter${extension}`]],
  workers: job?.workers ?? 2,
  retries: 0,
  fullyParallel: false,
  ...(job === undefined ? {} : { outputDir: `${job.privateFolder}/runner` }),
});
