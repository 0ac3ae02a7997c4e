import type { Fixtures } from '../fixtures/fixtures.ts';
import type { Interface } from '../http/call.ts';
import type { Rules } from './rules.ts';
import type { MockService } from './service.ts';

/** The calls of one interface with the public pages that show their effect, or all pages. */
export type Part = Interface | 'pages';

/**
 * One difference from the usual service: a fault (it breaks the clauses it names) or a variant (another
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
  /** The deviation shows on pages, so that only checks with a browser find it. Otherwise it shows in the interfaces. */
  readonly surface?: 'browser';
  /** The only part to which it applies: everything else is correct and is not needed to find it. */
  readonly only?: Part;
  /** The changed rules; `correct` are the rules without this deviation. */
  readonly rules?: (correct: Rules) => Partial<Rules>;
  /** Different initial rows. Switching such a deviation on while the service runs resets its state. */
  readonly fixtures?: (correct: Fixtures) => Fixtures;
  /** Runs in front of the whole service, including pages. It must clone or rebuild a body that it reads. */
  readonly http?: Http;
}

/** A handler in front of the service, and the requests that it handles; all by default. */
export interface Http {
  (request: Request, next: (request: Request) => Promise<Response>, service: MockService): Promise<Response>;
  readonly isAbout?: (method: string, path: string) => boolean;
  /** Earlier requests, also of other checks, decide what becomes of a request. */
  readonly remembers?: true;
}
