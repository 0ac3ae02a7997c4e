/** The commands of `proofmark`: one folder each. Every module is loaded when it is needed, so that `--help` answers at once. */
export type Command = (argv: string[]) => Promise<number>;

export const COMMANDS: Readonly<Record<string, { readonly about: string; readonly load: () => Promise<Command> }>> = {
  run: { about: 'judge a service against the contract', load: async () => (await import('./run/index.ts')).runCommand },
  precheck: {
    about: 'judge an app or a delivery provider before it is submitted for approval',
    load: async () => (await import('./precheck/index.ts')).precheckCommand,
  },
  judge: {
    about: 'judge recorded traffic: a HAR file, or the events of a run',
    load: async () => (await import('./judge/index.ts')).judgeCommand,
  },
  verify: {
    about: 'check whether an approval package is consistent',
    load: async () => (await import('./verify/index.ts')).verifyCommand,
  },
  explain: {
    about: 'print what a check or clause sends and expects, and its last result',
    load: async () => (await import('./explain/index.ts')).explainCommand,
  },
  mock: { about: 'start the embedded service', load: async () => (await import('./mock/index.ts')).mockCommand },
  init: {
    about: 'write a target profile in which every key is explained',
    load: async () => (await import('./init/index.ts')).initCommand,
  },
  doctor: {
    about: 'print what a run needs, what is missing, and which checks would be inconclusive',
    load: async () => (await import('./doctor/index.ts')).doctorCommand,
  },
  selftest: {
    about: 'run the checks against every fault of the mock, and show that each is found',
    load: async () => (await import('./selftest/index.ts')).selftestCommand,
  },
  sweep: {
    about: 'clean up after an interrupted run on its target',
    load: async () => (await import('./sweep/index.ts')).sweepCommand,
  },
  baseline: {
    about: 'write the failures of a run as known findings, which do not fail later runs',
    load: async () => (await import('./baseline/index.ts')).baselineCommand,
  },
  report: {
    about: 'write the reports of a run again, or compare two runs',
    load: async () => (await import('./report/index.ts')).reportCommand,
  },
};
