/** `proofmark sweep [--target FILE] [RUN]` */
export async function sweepCommand(argv: readonly string[]): Promise<number> {
  throw new Error(`not written yet: ${argv.join(' ')}`);
}
