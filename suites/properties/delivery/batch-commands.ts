/** Commands on whole lists: in one call or in portions, of all countries or of one, for one method or several. */
import { GivenFailure } from '../../../harness/check/failures.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { written } from '../steps/written.ts';
import { clauseOfBatch, clauseOfCall } from './clauses.ts';
import { type Command, reachOf, resolveUnknowns } from './point-commands.ts';
import { type Model, replaceIn, type Slot, slotOf, type Write } from './state.ts';
import type { SystemUnderTest } from './system-under-test.ts';
import { type CallTarget, expectedFields, type Points, sentPoint } from './values.ts';

const quoted = (ids: Iterable<string>): string => [...ids].map((id) => JSON.stringify(id)).join(' ') || 'nothing';

/** Whether a list for a country would bring an id that a point outside of it has: what then happens is open. */
function clashes(slot: Slot, points: Points, country: string | undefined): boolean {
  if (country === undefined) return false;
  return [...points.keys()].some((id) => {
    const there = slot.points.get(id);
    return there !== undefined && there.fields.country !== country;
  });
}

const expectedPoints = (points: Points, { by }: CallTarget): Points =>
  new Map([...points].map(([id, fields]) => [id, expectedFields(fields, by)]));

interface Flags {
  readonly first: boolean;
  readonly last: boolean;
}

function batchCall(
  system: SystemUnderTest,
  { by, slots }: CallTarget,
  points: Points,
  country: string | undefined,
  flags: Flags,
) {
  const body: Json = {
    pickup_points: [...points].map(([id, fields]) => sentPoint(id, fields, by)),
    ...(country === undefined ? {} : { country }),
    is_initialization: flags.first,
    is_finalization: flags.last,
  };
  return system.store(by).batchReplace(system.handles(slots), body);
}

/** The whole list in one call. */
export class Replace implements Command {
  readonly aim: CallTarget;
  readonly points: Points;
  readonly country: string | undefined;

  constructor(aim: CallTarget, points: Points, country: string | undefined) {
    this.aim = aim;
    this.points = points;
    this.country = country;
  }

  check(model: Readonly<Model>): boolean {
    return this.aim.slots.every((name) => !clashes(slotOf(model, name), this.points, this.country));
  }

  toString(): string {
    const where = this.country === undefined ? '' : ` in ${this.country}`;
    const by = this.aim.by === 'other' ? ' by the other store' : '';
    return `replace ${this.aim.slots}${where} with ${quoted(this.points.keys())}${by}`;
  }

  async run(model: Model, system: SystemUnderTest): Promise<void> {
    system.step(this.toString());
    const { aim, points, country } = this;
    const { reach, all } = reachOf(model, aim);
    await resolveUnknowns(system, reach);
    const write: Omit<Write, 'served'> = { kind: 'batch', ...aim, ids: [...points.keys()], country };
    const call = batchCall(system, aim, points, country, { first: true, last: true });
    const response = await system.write(model, call, write);
    // Whether an empty list is taken is open; nothing else is.
    if (all && points.size > 0)
      await system.served(clauseOfCall(write), response, `the call "${this}" must be served`, write.ids);
    if (isServed(response)) for (const slot of reach) replaceIn(slot, expectedPoints(points, aim), country, all);
    await system.compareState(model);
  }
}

/** A list for methods that have none, so that there is something for other calls to meet. */
export class Stock extends Replace {
  constructor(aim: CallTarget, points: Points) {
    super(aim, points, undefined);
  }

  override check(model: Readonly<Model>): boolean {
    return this.aim.slots.every((name) => slotOf(model, name).points.size === 0);
  }
}

/** A list in portions, perhaps after another one that was begun and given up. */
export class Upload implements Command {
  readonly aim: CallTarget;
  readonly portions: readonly Points[];
  readonly country: string | undefined;
  readonly abandoned: Points | undefined;
  /** Whether the list is read before the last portion. */
  readonly comparesState: boolean;

  constructor(
    aim: CallTarget,
    portions: readonly Points[],
    {
      country,
      abandoned,
      comparesState,
    }: { country: string | undefined; abandoned: Points | undefined; comparesState: boolean },
  ) {
    this.aim = aim;
    this.portions = portions;
    this.country = country;
    this.abandoned = abandoned;
    this.comparesState = comparesState;
  }

  /** With a part of the handles unknown, an upload might stay half open: then nothing could be said of the rest. */
  check(model: Readonly<Model>): boolean {
    const { reach, all } = reachOf(model, this.aim);
    const lists = [...this.portions, ...(this.abandoned === undefined ? [] : [this.abandoned])];
    return all && lists.every((points) => reach.every((slot) => !clashes(slot, points, this.country)));
  }

  toString(): string {
    const where = this.country === undefined ? '' : ` in ${this.country}`;
    const before = this.abandoned === undefined ? '' : ` after abandoning ${quoted(this.abandoned.keys())}`;
    const portions = this.portions.map((points) => quoted(points.keys())).join(' | ');
    return `upload ${portions} to ${this.aim.slots}${where}${before}${this.comparesState ? ', reading in between' : ''}`;
  }

  async run(model: Model, system: SystemUnderTest): Promise<void> {
    system.step(this.toString());
    const { aim, country, portions, abandoned } = this;
    const { reach } = reachOf(model, aim);
    await resolveUnknowns(system, reach);
    const upload = new OpenUpload(model, system, this, [...(abandoned?.keys() ?? [])]);
    if (abandoned !== undefined) {
      const call = batchCall(system, aim, abandoned, country, { first: true, last: false });
      await upload.began(await system.context.send(written(system.context, call), 'batch'), abandoned);
    }
    for (const at of portions.keys()) {
      if (this.comparesState && at === portions.length - 1) await upload.showsNothingYet(reach);
      await upload.send(at);
    }
    upload.published(reach);
    await system.compareState(model);
  }
}

/** Two uploads at a time, to two methods of the store: each has its own list under way. */
export class UploadBoth implements Command {
  readonly uploads: readonly [Upload, Upload];

  constructor(one: readonly Points[], other: readonly Points[]) {
    const rest = { country: undefined, abandoned: undefined, comparesState: false };
    this.uploads = [
      new Upload({ by: 'own', slots: ['A'] }, one, rest),
      new Upload({ by: 'own', slots: ['B'] }, other, rest),
    ];
  }

  check(model: Readonly<Model>): boolean {
    return this.uploads.every((upload) => upload.check(model));
  }

  toString(): string {
    return `at a time: ${this.uploads.join('; ')}`;
  }

  async run(model: Model, system: SystemUnderTest): Promise<void> {
    system.step(this.toString());
    const open = this.uploads.map((upload) => new OpenUpload(model, system, upload, []));
    const most = Math.max(...this.uploads.map(({ portions }) => portions.length));
    for (let at = 0; at < most; at += 1) {
      for (const [which, { portions }] of this.uploads.entries()) if (at < portions.length) await open[which]!.send(at);
    }
    for (const [which, upload] of this.uploads.entries()) open[which]!.published(reachOf(model, upload.aim).reach);
    await system.compareState(model);
  }
}

/** The portions of one upload, sent one after the other. */
class OpenUpload {
  readonly #model: Model;
  readonly #system: SystemUnderTest;
  readonly #upload: Upload;
  readonly #discarded: readonly string[];
  /** Set where a portion was refused for its values: the others are not sent. */
  #isGivenUp = false;
  /** The points of the list that is under way, if one is. */
  #begun: Points | undefined;

  constructor(model: Model, system: SystemUnderTest, upload: Upload, discarded: readonly string[]) {
    this.#model = model;
    this.#system = system;
    this.#upload = upload;
    this.#discarded = discarded;
  }

  async send(at: number): Promise<void> {
    if (this.#isGivenUp) return;
    const { aim, portions, country } = this.#upload;
    const flags = { first: at === 0, last: at === portions.length - 1 };
    const call = batchCall(this.#system, aim, portions[at]!, country, flags);
    const response = await this.#system.context.send(written(this.#system.context, call), 'batch');
    await this.#served(response, `portion ${at + 1} of ${portions.length}`);
    if (isServed(response)) {
      this.#begun = new Map([...(flags.first ? [] : (this.#begun ?? [])), ...portions[at]!]);
      return;
    }
    this.#isGivenUp = true;
    if (this.#begun !== undefined) await this.#finish(this.#begun);
  }

  /** Notes the response to the first portion of a list that is given up then. */
  async began(response: ServiceResponse, points: Points): Promise<void> {
    await this.#served(response, 'the first portion of an upload');
    if (isServed(response)) this.#begun = points;
  }

  /**
   * What is left of an upload whose later portion is refused is open: the lists begin again with nothing. A service that starts no list
   * before the one under way is finished gets the end of that one.
   */
  async #finish(begun: Points): Promise<void> {
    const { aim, country } = this.#upload;
    const { context } = this.#system;
    for (const slot of reachOf(this.#model, aim).reach) {
      const target: CallTarget = { by: aim.by, slots: [slot.name] };
      const end = batchCall(this.#system, target, new Map(), country, { first: false, last: true });
      const empty = batchCall(this.#system, target, new Map(), undefined, { first: true, last: true });
      const isEmptied = isServed(await context.send(empty, 'given'));
      if (!isEmptied) await context.given.accepted(context.send(end, 'given'), 'delivery.batch.replaces-all');
      const left: Points = isEmptied ? new Map() : expectedPoints(begun, aim);
      this.#system.note(this.#model, {
        ...{ kind: 'batch', ...aim, served: true, ids: [...left.keys()] },
        country: isEmptied ? undefined : country,
      });
      replaceIn(slot, left, isEmptied ? undefined : country, true);
    }
  }

  async #served(response: ServiceResponse, what: string): Promise<void> {
    const { aim, portions, country } = this.#upload;
    const clause = clauseOfBatch({ slots: aim.slots, country, portions: portions.length });
    const ids = portions.flatMap((points) => [...points.keys()]);
    await this.#system.served(clause, response, `${what} must be served`, ids);
  }

  /** Asserts that no point of the upload is listed yet. Whether the old list can be read meanwhile is open. */
  async showsNothingYet(reach: readonly Slot[]): Promise<void> {
    if (this.#isGivenUp) return;
    const sent = this.#upload.portions.slice(0, -1).flatMap((points) => [...points.keys()]);
    for (const slot of reach) {
      const shown = (await listedOrNothing(this.#system.listed(slot))).map(({ id }) => id);
      const early = sent.filter((id) => shown.includes(id) && !slot.points.has(id));
      const message = `${quoted(early)} must not be listed in ${slot.name} before the last portion`;
      this.#system.expect('delivery.batch.unlisted-until-final-portion', early.length === 0, message, {
        expected: [...slot.points.keys()].toSorted(),
        actual: shown.toSorted(),
        pointer: '/pickup_points',
      });
    }
  }

  /** The last portion was served: the union is the list now. */
  published(reach: readonly Slot[]): void {
    if (this.#isGivenUp) return;
    const { aim, portions, country } = this.#upload;
    const points: Points = new Map(portions.flatMap((portion) => [...expectedPoints(portion, aim)]));
    const ids = [...points.keys()];
    this.#system.note(this.#model, {
      kind: 'batch',
      ...aim,
      served: true,
      ids,
      country,
      portions: portions.length,
      discarded: this.#discarded.filter((id) => !ids.includes(id)),
    });
    for (const slot of reach) replaceIn(slot, points, country, true);
  }
}

/** A list that is refused shows nothing. */
async function listedOrNothing(listing: Promise<readonly Json[]>): Promise<readonly Json[]> {
  try {
    return await listing;
  } catch (thrown) {
    const response = thrown instanceof GivenFailure ? thrown.evidence.response : undefined;
    if (response !== undefined && !isServed(response)) return [];
    throw thrown;
  }
}
