/** Cases of properties that are kept: which of them a run tries first, and their form in JSON. */
import type { PropertyCase } from '../../contracts/run/events.ts';
import { Inconclusive } from '../check/failures.ts';
import type { PropertyVector, RunInfo } from '../resources/run-info.ts';

/** How a sequence is kept: each command as JSON, and back. */
export interface CommandFormat<Command> {
  write(command: Command): unknown;
  /** Throws on what is not a command of the property; `undefined` is one that has no meaning on this target. */
  read(json: unknown): Command | undefined;
}

/** The cases to try before any other; a counterexample that is repeated is run alone. */
export const vectorsOf = ({ vectors = [], replay }: RunInfo, check: string): readonly PropertyVector[] =>
  replay === undefined ? vectors.filter(({ property }) => property === check) : [];

/** The commands of a vector, read by the property that it is for; `undefined` where they have no meaning on this target. */
export function commandsIn<Command>(
  vector: PropertyVector,
  format: CommandFormat<Command> | undefined,
): Command[] | undefined {
  if (!('commands' in vector.case) || format === undefined)
    throw invalidVector(vector, 'it contains values, but the property is about commands');
  try {
    const commands = vector.case.commands.map((json) => format.read(json));
    return commands.some((command) => command === undefined) ? undefined : (commands as Command[]);
  } catch (error) {
    throw invalidVector(vector, (error as Error).message);
  }
}

export const invalidVector = ({ file, property }: PropertyVector, why: string): Inconclusive =>
  new Inconclusive(`${file} is not a case of ${property}: ${why}. Correct it or delete it`, 'configuration');

/** As JSON, whatever made it: what is kept is what can be read again. Values without such a form are not kept. */
export function inJson(kept: PropertyCase | undefined): PropertyCase | undefined {
  try {
    return kept === undefined ? undefined : (JSON.parse(JSON.stringify(kept)) as PropertyCase);
  } catch {
    return undefined;
  }
}
