/** The internal interface of the embedded service. */
import type { MockControl } from '../../contracts/control.ts';
import type { Serve } from '../http/messages.ts';
import type { State } from '../state/state.ts';
import type { Rules } from './rules.ts';

/** A request to an integrator that the service sends through a browser. */
export interface SentRequest {
  readonly kind: 'label' | 'checkout' | 'install' | 'settings';
  /** GET with everything in the address, or POST of a form. */
  readonly url: string;
  readonly fields?: readonly (readonly [name: string, value: string])[];
}

export interface MockService {
  /** Called with each request to an integrator that a browser gets. */
  onSent: ((sent: SentRequest) => void) | undefined;
  readonly origin: string;
  /** The origin of its pages; `origin` by default. */
  readonly pagesOrigin: string;
  /** The current state. Change it only inside `change`, and replace rows instead of modifying them. */
  readonly state: State;
  /** The rules in force; read them at each use, `control.deviate` changes them. */
  readonly rules: Rules;
  readonly control: MockControl;
  /** Whether the state was loaded from the database file instead of fixtures. */
  readonly isRestored: boolean;
  readonly now: () => Date;
  readonly random: (bytes: number) => Buffer;
  /** Serves one request. A program in front of the service replaces it (`inFront`). */
  serve: Serve;
  /** Serves a request of the web. `target` is its path and query as they were on the wire, where the caller knows them. */
  fetch(request: Request, target?: string): Promise<Response>;
  /** Runs a synchronous change of the state as one unit: all of it is kept (and stored), or none. */
  change<T>(body: () => T): T;
  close(): void;
}
