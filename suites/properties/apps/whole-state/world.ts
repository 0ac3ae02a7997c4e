/** What two installations of an app have by the calls so far. */
import type { ServiceRequest } from '../../../../harness/target/client/request.ts';
import type { Slot } from '../../../apps/steps/snippets.ts';

export type Kind = 'snippet' | 'data';

/** Where something is kept, with what was set there last. */
export interface Place extends Slot {
  readonly kind: Kind;
  /** In a sentence. */
  readonly name: string;
  /** What it has to hold; `undefined` where that is not known, until it is set again. */
  value: unknown;
  /** What it held before that. */
  former: unknown;
}

/** A step as it was carried out, to be repeated and to be blamed. */
export interface Action {
  readonly words: string;
  readonly call: ServiceRequest;
  /** The place that the call names, where it is one of the known. */
  readonly place?: Place;
  readonly installation: 'own' | 'other';
  readonly kind: Kind | 'other';
  /** Whether nothing in it is of our choice that a service may refuse. */
  readonly isPlain: boolean;
  /** What the place holds after a served call; without it the places named here may hold anything. */
  readonly sets?: { readonly value: unknown };
  readonly learns?: readonly Place[];
  /** The clause that any effect goes against, where the call must have none. */
  readonly mustNotWork?: string;
}

/** The last call that may have changed something, with what became of it. */
export interface Last {
  readonly action: Action;
  readonly outcome: 'served' | 'refused';
}

export class World {
  readonly places: readonly Place[];
  last: Last | undefined;
  constructor(places: readonly Place[]) {
    this.places = places;
  }

  of(installation: 'own' | 'other', kind: Kind): readonly Place[] {
    return this.places.filter((place) => place.installation === installation && place.kind === kind);
  }
}

/** The clause that says that a value of a place reads back. */
export function keptClause({ kind, language }: Place, value: unknown): string {
  if (kind === 'data') return typeof value === 'string' ? 'apps.data.string-kept' : 'apps.data.object-kept';
  return language === undefined ? 'apps.snippet.default-kept' : 'apps.snippet.language-kept';
}
