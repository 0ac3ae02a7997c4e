/** The model of all that a run can see of Delivery: the methods of both stores with their points, and what was sent last. */

import type { MethodField } from '../../../delivery/steps/fields.ts';
import { clauseOfList, clauseOfMethod, type WrongPoint } from '../clauses.ts';
import type { MethodFields, Slot, SlotName, Write } from '../state.ts';
import { foldedId } from './alphabets.ts';
import type { MethodSelection } from './steps.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface MethodState {
  /** Place among all methods of the run, for messages. */
  readonly place: number;
  readonly owner: 'own' | 'other';
  readonly handle: string;
  /** The reference that it was made with, and what writes another one down; only methods of the run's own. */
  readonly marked?: { readonly reference: unknown; readonly willCarry: (reference: string) => void };
  alive: boolean;
  /** What it has to read as; a field that is missing is not known. */
  fields: MethodFields;
  /** Its title in a language that is not known. */
  readonly plainTitle?: string;
  /** What its points have to read as, by their ids. */
  points: Map<string, Fields>;
  /** Ids that were deleted and are not there. */
  readonly gone: Set<string>;
}

/** The last call that was made, for saying which rule was broken. */
export interface Last {
  readonly write: Omit<Write, 'slots' | 'by'>;
  readonly methods: readonly MethodState[];
  readonly by: 'own' | 'other';
  readonly words: string;
  /** The clause that any effect goes against. */
  readonly clause?: string;
}

export class World {
  readonly methods: MethodState[] = [];
  /** Whether ids that differ in letter case or in the form of a letter alone are two to this service; else no two are brought together. */
  readonly canDistinguish: boolean;
  last: Last | undefined;
  #made = 0;

  constructor(canDistinguish: boolean) {
    this.canDistinguish = canDistinguish;
  }

  add(method: Omit<MethodState, 'place'>): MethodState {
    // The handle of a deleted method may be given to a new one.
    const former = this.methods.findIndex(({ alive, handle }) => !alive && handle === method.handle);
    if (former >= 0) this.methods.splice(former, 1);
    this.#made += 1;
    const state = { ...method, place: this.#made };
    this.methods.push(state);
    return state;
  }

  alive(owner: MethodState['owner'] = 'own'): MethodState[] {
    return this.methods.filter((method) => method.alive && method.owner === owner);
  }

  /** The clause that a wrong list of a method goes against. */
  clauseOfList(method: MethodState, wrong: WrongPoint): string {
    if (this.last === undefined) return 'delivery.point.list-of-one-method';
    if (this.last.clause !== undefined && this.last.methods.includes(method)) return this.last.clause;
    return clauseOfList(slotFor(method, this.#written()), wrong);
  }

  /** The clause that a method goes against which reads otherwise, or does not read at all. */
  clauseOfMethod(method: MethodState, field?: MethodField): string {
    const write = this.#written();
    // A call on points has nothing to do with the fields of a method.
    if (write !== undefined && write.kind !== 'method') return 'delivery.method.update-leaves-other-methods';
    return clauseOfMethod(slotFor(method, write), field);
  }

  #written(): Write | undefined {
    if (this.last === undefined) return undefined;
    const { write, methods, by } = this.last;
    return { ...write, by, slots: methods.map(nameOf) };
  }
}

export const nameOf = ({ place }: MethodState): SlotName => `M${place}` as SlotName;

/** The methods that a step is for. */
export function selectedMethods(world: World, at: MethodSelection): MethodState[] {
  const methods = world.alive();
  const [first] = methods;
  const last = methods.at(-1);
  if (first === undefined || last === undefined) return [];
  switch (at) {
    case 'first':
      return [first];
    case 'second':
      return [methods[1] ?? first];
    case 'last':
      return [last];
    case 'ends':
      return first === last ? [first] : [first, last];
    case 'all':
      return methods;
    case 'backwards':
      return methods.toReversed();
  }
}

export const handlesOf = (methods: readonly MethodState[]): string | readonly string[] =>
  methods.length === 1 ? methods[0]!.handle : methods.map(({ handle }) => handle);

export const placesOf = (methods: readonly MethodState[]): string =>
  `method ${methods.map(({ place }) => place).join(', ')}`;

/** The id of a point that all of the methods have. */
export function commonId(methods: readonly MethodState[], nth: number): string | undefined {
  const [first, ...others] = methods;
  const ids = [...(first?.points.keys() ?? [])].filter((id) => others.every(({ points }) => points.has(id)));
  return ids[nth % Math.max(1, ids.length)];
}

const slotFor = (method: MethodState, write: Write | undefined): Slot => ({
  name: nameOf(method),
  owner: method.owner,
  alive: true,
  points: new Map(),
  deleted: new Set(),
  method: {},
  methodWrite: write,
  writes: write === undefined ? [] : [write],
  before: undefined,
});

/** Ids of a method that a service which compares loosely may take for this one, itself left out. */
export const similarIds = (ids: Iterable<string>, id: string): string[] =>
  [...ids].filter((other) => other !== id && foldedId(other) === foldedId(id));
