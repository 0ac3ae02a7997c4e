/** What every process of one run has to know; the workers receive it as JSON in one environment variable. */
import type { PropertyCase } from '../../contracts/run/events.ts';
import type { Singleton } from './singletons.ts';

/** A counterexample that was kept: every later run tries it before it searches for others. */
export interface PropertyVector {
  /** Id of the check. */
  readonly property: string;
  /** Its path, for people and for `--vectors`. */
  readonly file: string;
  readonly case: PropertyCase;
}

export interface RunInfo {
  /** Id of the run, in its ledger's name and in the marks of its objects. */
  readonly run: string;
  /** What `--target` named, where that was not the default: for commands that repeat something. */
  readonly target?: string;
  readonly seed: number;
  /** Runs of each property; 0: properties are off. */
  readonly propertyRuns: number;
  /** Requests that one property may cost where they are limited; without it, what its runs cost. */
  readonly propertyRequests?: number;
  /** Path and replay path of a counterexample, to run just that. */
  readonly replay?: { readonly path: string; readonly replayPath?: string };
  /** Cases that properties try first. Too long for an environment: `Job.vectorsFile` brings them to the workers. */
  readonly vectors?: readonly PropertyVector[];
  /** Ids of the checks in scope. */
  readonly selected: readonly string[];
  /** Order of the checks within their groups: as written, or shuffled by this seed. */
  readonly shuffle?: number;
  readonly browser?: string;
  readonly showPersonalData: boolean;
  /** Why the credentials or the whole of an interface can't be used, by key of the profile; found before the checks start. */
  readonly unusable: Readonly<
    Record<string, { readonly reason: string; readonly attribution: 'configuration' | 'network' | 'target' }>
  >;
  /** Keys of the profile that the user vouches for: where the target differs from them, the target is at fault. */
  readonly trusted?: readonly string[];
  /** Each check makes and reads everything by itself, for what has to know which requests it rests on. */
  readonly isolated?: true;
  /** What another run of this machine uses at present, each with a sentence that says who. */
  readonly held?: Readonly<Partial<Record<Singleton, string>>>;
}

/** The text that marks the objects of a run, so that `sweep` and other runs know whose they are. */
export const markOf = (run: string): string => `${MARK_BEGINNING}${run}`;

const MARK_BEGINNING = 'pm-';

/** A text without the marks of any run, with which texts are compared that differ only by them. */
export const withoutMarks = (text: string): string => text.replaceAll(ANY_MARK, '');

const ANY_MARK = new RegExp(`${MARK_BEGINNING}[\\w-]+`, 'g');
