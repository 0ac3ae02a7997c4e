/** The embedded service as its parts see it. */
import type { MockControl } from '../../contracts/control.ts';
import type { State } from '../state/state.ts';
import type { Rules } from './rules.ts';

/** A request that the service has a browser send to an integrator. */
export interface SentRequest {
  readonly kind: 'label' | 'checkout' | 'install' | 'settings';
  /** GET with everything in the address, or POST of a form. */
  readonly url: string;
  readonly fields?: readonly (readonly [name: string, value: string])[];
}

export interface MockService {
  /** Called with each request that a browser is handed for an integrator. */
  onSent: ((sent: SentRequest) => void) | undefined;
  readonly origin: string;
  /** Where its pages for people are; `origin` by default. */
  readonly pagesOrigin: string;
  /** What is there now. Read freely; change only inside `change`, and replace rows instead of changing them. */
  readonly state: State;
  /** The rules in force; read them at each use, `control.deviate` changes them. */
  readonly rules: Rules;
  readonly control: MockControl;
  /** Whether the state came out of the database file, and not from fixtures. */
  readonly isRestored: boolean;
  readonly now: () => Date;
  readonly random: (bytes: number) => Buffer;
  /**
   * Serves one request. `target` is the request's path and query as they were on the wire, where the caller knows them:
   * a Request has already lost `..`.
   */
  fetch(request: Request, target?: string): Promise<Response>;
  /** Runs a synchronous change of the state as one unit: all of it is kept (and stored), or none. */
  change<T>(body: () => T): T;
  close(): void;
}
