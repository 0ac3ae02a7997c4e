import type { Fixtures } from '../fixtures/fixtures.ts';
import type { Interface } from '../http/call.ts';
import type { Rules } from './rules.ts';
import type { MockService } from './service.ts';

/** Calls of one interface, with the public pages that show what they did; or all pages, which are no interface. */
export type Part = Interface | 'pages';

/**
 * One way in which the service differs from its usual self: a fault (it breaks the clauses it names) or a variant (another
 * correct reading of what the contract leaves open). State that a deviation needs lives in the closure of `rules` or in a
 * WeakMap by service; it begins again each time the deviation is switched on.
 */
export interface Deviation {
  /** Ids are paths of meaning: `batch.publishes-early`. */
  readonly id: string;
  /** The clause that a fault breaks; `clauses` when one deviation breaks several. Variants name none. */
  readonly clause?: string;
  readonly clauses?: readonly string[];
  /** One sentence: what is wrong (or different) and what stays right. */
  readonly about: string;
  /** The deviation shows on pages, so that checks with a browser are needed to find it. Without it: in the interfaces. */
  readonly surface?: 'browser';
  /** The one part in which it is in force: all else is as it should be, and need not be looked at to find it. */
  readonly only?: Part;
  /** Rules to use instead; `correct` are those without this deviation. */
  readonly rules?: (correct: Rules) => Partial<Rules>;
  /** Other rows to begin with. Switching such a deviation on while the service runs plants its state again. */
  readonly fixtures?: (correct: Fixtures) => Fixtures;
  /** Runs in front of the whole service, pages included. A body that it reads must be cloned or rebuilt. */
  readonly http?: Http;
}

/** What runs in front of the service, and for which requests; by default all. */
export interface Http {
  (request: Request, next: (request: Request) => Promise<Response>, service: MockService): Promise<Response>;
  readonly isAbout?: (method: string, path: string) => boolean;
}
