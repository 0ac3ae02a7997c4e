/**
 * Playwright's side of the report: it prints nothing about checks (the events do) and hands what went wrong with the
 * runner itself to the main process, as lines on standard error.
 */
import type { FullResult, Reporter, TestCase, TestError, TestResult } from '@playwright/test/reporter';

export const RUNNER_FAULT = 'proofmark-runner-fault: ';

export default class SilentReporter implements Reporter {
  #faults = 0;

  printsToStdio(): boolean {
    return true;
  }

  onError(error: TestError): void {
    this.#tell(error);
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    for (const error of result.errors) this.#tell(error, test.title);
  }

  onStdErr(chunk: string | Buffer): void {
    process.stderr.write(chunk);
  }

  async onEnd(): Promise<{ status: FullResult['status'] }> {
    return { status: this.#faults === 0 ? 'passed' : 'failed' };
  }

  #tell(error: TestError, title = ''): void {
    this.#faults += 1;
    const message = (error.message ?? String(error.value)).split('\n').slice(0, 3).join(' ');
    process.stderr.write(`${RUNNER_FAULT}${JSON.stringify({ title, message })}\n`);
  }
}
