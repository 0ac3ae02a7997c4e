/**
 * Which refusals in a sequence of calls may be due to values that the check chose. A model sends hundreds of calls with values of its
 * own, and a service may refuse any of them. A refusal counts against the service only if each part of the call was served before, if
 * only in other calls: then the state, not the values, is the reason for the refusal.
 */

import type { ServiceRequest } from '../../target/client/request.ts';
import type { ServiceResponse } from '../../target/client/types.ts';
import { isRefusalOfPromise, isRefused, isServed } from '../../target/response/judge-response.ts';
import type { CallHistory } from './calls-on-points.ts';
import { DeletedIds } from './deleted-ids.ts';
import { OpenUploads } from './open-uploads.ts';
import { PointTitles } from './point-titles.ts';
import { holdsChoices, traitsOf } from './traits.ts';

/** Calls that are kept before they are analysed; a property sends thousands. */
const MAX_NOTED = 100;

/** What to report if a refusal turns out to be due to the state. */
export interface Refusal {
  readonly clause: string;
  /** A sentence: `the call "add 1 to A" must be served`. */
  readonly message: string;
}

interface SkippedRefusal extends Refusal {
  readonly response: ServiceResponse;
}

export class Choices {
  readonly #served = new Set<string>();
  readonly #traits = new WeakMap<ServiceResponse, readonly string[]>();
  readonly #skipped: SkippedRefusal[] = [];
  readonly #postponed = new Map<string, SkippedRefusal[]>();
  #proven: SkippedRefusal | undefined;
  readonly #histories: readonly CallHistory[] = [new OpenUploads(), new DeletedIds(), new PointTitles()];
  /** Not analysed yet: most checks never need the result. */
  #noted: [call: ServiceRequest, answer: ServiceResponse][] = [];
  #refusals = 0;

  /** Notes a call, as it was sent, and its response. */
  note(call: ServiceRequest, response: ServiceResponse): void {
    this.#noted.push([call, response]);
    if (this.#noted.length >= MAX_NOTED) this.#catchUp();
  }

  /** How many refusals may be due to values alone. */
  get refusals(): number {
    this.#catchUp();
    return this.#refusals;
  }

  #catchUp(): void {
    const noted = this.#noted;
    this.#noted = [];
    for (const [call, response] of noted) this.#noteResponse(call, response);
  }

  #noteResponse(call: ServiceRequest, response: ServiceResponse): void {
    const served = isServed(response);
    const traits = [...traitsOf(call), ...this.#histories.flatMap((history) => history.traitsOf(call, served))];
    if (served) {
      for (const trait of traits) this.#served.add(trait);
      for (const history of this.#histories) history.note(call);
    } else if (isRefused(response) === 'refused' && holdsChoices(call)) {
      if (!this.#areServed(traits)) this.#refusals += 1;
      this.#traits.set(response, traits);
    }
  }

  /** Whether a refusal may be due to values alone, as far as is known by now. Then it is kept, and judged again at the end. */
  skipsRefusal(response: ServiceResponse, refusal: Refusal): boolean {
    this.#catchUp();
    const traits = this.#traits.get(response);
    if (traits === undefined || (isRefusalOfPromise(response) && this.#areServed(traits))) return false;
    this.#skipped.push({ ...refusal, response });
    return true;
  }

  /**
   * Keeps a refusal that may be due to a limit on the number of such calls, since the contract excludes no such limit. It counts if a
   * call of the same kind is served later, because a limit that is reached stays reached.
   */
  postpone(kind: string, response: ServiceResponse, refusal: Refusal): void {
    const all = this.#postponed.get(kind) ?? [];
    this.#postponed.set(kind, [...all, { ...refusal, response }]);
  }

  /** Notes that a call of a kind was served after all that were postponed. */
  servedLater(kind: string): void {
    this.#proven ??= this.#postponed.get(kind)?.[0];
  }

  /** How many refusals a model skipped. */
  get skipped(): number {
    return this.#skipped.length;
  }

  /** A refusal that was skipped before everything in it, or a call of its kind, was served. */
  proven(): SkippedRefusal | undefined {
    this.#catchUp();
    const ofValues = this.#skipped.find(
      ({ response }) => isRefusalOfPromise(response) && this.#areServed(this.#traits.get(response) ?? []),
    );
    return ofValues ?? this.#proven;
  }

  #areServed(traits: readonly string[]): boolean {
    return traits.every((trait) => this.#served.has(trait));
  }
}
