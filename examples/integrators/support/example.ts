/** Examples as tables: each entry is the correct example with one thing changed. */
import type { Settings } from './settings.ts';

/** An integrator's software, as far as a server and a test need it. */
export interface Integrator {
  respond(request: Request): Promise<Response>;
  /** What it does besides answering, from its start on. */
  start?(): void;
  /** Resolves when what `start` began is done. */
  readonly uploaded?: Promise<void>;
}

/** A correct example: what it submits to the setup portal is a step like all others. */
interface Correct extends Integrator {
  readonly settings: Settings;
  manifest(): Record<string, unknown>;
}

/** Fields that replace those of the correct manifest; the fields of an object replace those of the object there. */
type Fields = Readonly<Record<string, unknown>>;

/** How one example differs from the correct one, `T`. */
export interface Entry<T> {
  /** The clauses it breaks: ids of `contracts/clauses`, party integrator. Omitted if it breaks none. */
  readonly clauses?: readonly string[];
  /** What it does, in a sentence for the table of the documentation. */
  readonly about: string;
  /** For one that shows only under another tab mode than `blank`. */
  readonly tabMode?: 'self';
  /** Fields of its manifest; a function if they contain its own address. */
  readonly manifest?: Fields | ((origin: string) => Fields);
  /** The steps that it does differently. `correct` has the correct steps, which call the changed ones. */
  readonly change?: (correct: T) => Partial<T>;
}

/** An example that is not simply correct. */
export interface VariedExample {
  /** Its file and its name there: `app.hash.any-case` is in `app/faults/hash.ts`. */
  readonly id: string;
  readonly clauses: readonly string[];
  readonly about: string;
  readonly tabMode?: 'self';
  /** Makes the integrator's software under these settings. */
  make(settings: Settings): Integrator;
  /** Makes its changes to software of the same kind that is made already, which may have those of other examples, and returns that. */
  over(made: Integrator): Integrator;
}

/** The examples of a table, by their ids, each made from the correct one. */
export function examplesOver<T extends Correct>(
  Correct: new (settings: Settings) => T,
  table: Readonly<Record<string, Entry<T>>>,
): readonly VariedExample[] {
  return Object.entries(table).map(([id, { clauses = [], about, tabMode, manifest, change }]) => {
    const over = (made: Integrator): Integrator => {
      const steps = stepsOf(made as T);
      if (manifest !== undefined) {
        const fields = typeof manifest === 'function' ? manifest(steps.settings.origin) : manifest;
        Object.assign(made, { manifest: () => withFields(steps.manifest(), fields) });
      }
      return Object.assign(made, change?.(steps));
    };
    const make = (settings: Settings): Integrator => over(new Correct(settings));
    return { id, clauses, about, ...(tabMode === undefined ? {} : { tabMode }), make, over };
  });
}

/** The steps as they are now, whatever is changed in `made` afterwards; what they call is what `made` has then. */
function stepsOf<T extends object>(made: T): T {
  const changed = new Map(Object.entries(made).filter(([, step]) => typeof step === 'function'));
  return new Proxy(made, {
    get: (_, name) => {
      const step: unknown = changed.get(String(name)) ?? Reflect.get(Object.getPrototypeOf(made), name, made);
      return typeof step === 'function' ? step.bind(made) : Reflect.get(made, name);
    },
  });
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function withFields(manifest: Fields, fields: Fields): Record<string, unknown> {
  const replaced = Object.entries(fields).map(([name, value]) => {
    const before = manifest[name];
    return [name, isObject(before) && isObject(value) ? withFields(before, value) : value] as const;
  });
  return { ...manifest, ...Object.fromEntries(replaced) };
}
