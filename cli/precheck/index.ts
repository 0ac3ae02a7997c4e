/** `proofmark precheck app|delivery`: the integrator's side of the contract, before it is submitted for approval. */
import { UsageError } from '../../harness/process/usage-error.ts';

type Kind = (argv: string[]) => Promise<number>;

const KINDS: Readonly<Record<string, () => Promise<Kind>>> = {
  app: async () => (await import('./app/command.ts')).precheckAppCommand,
  delivery: async () => (await import('./provider/command.ts')).precheckDeliveryCommand,
};

const HELP = `Usage: proofmark precheck app --manifest FILE|URL [OPTION …]
       proofmark precheck delivery [--manifest FILE|URL] --label-url URL [OPTION …]

Plays the service for an integration, drives its pages in a browser, and judges what it does.
\`proofmark precheck app --help\` and \`proofmark precheck delivery --help\` list the options.`;

/** `proofmark precheck KIND`. Returns the exit code; throws a UsageError for an unknown kind. */
export async function precheckCommand(argv: string[]): Promise<number> {
  const [kind, ...rest] = argv;
  if (kind === '--help' || kind === '-h') {
    console.log(HELP);
    return 0;
  }
  const load = kind !== undefined && Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (load === undefined) {
    const wrong = kind === undefined ? 'needs a kind of integration' : `does not know "${kind}"`;
    throw new UsageError(`proofmark precheck ${wrong}: write one of ${Object.keys(KINDS).join(', ')}.`);
  }
  return (await load())(rest);
}
